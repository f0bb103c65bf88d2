// The answer in a question's form as a sheet has it; lists to choose from in the page's language.
(() => {
  "use strict";
  const fieldsOf = (form) => [...form.querySelectorAll("[data-field]")];
  const text = (field) => field.value.trim();

  function chosen(form, fields) {
    if ("ordered" in form.dataset) return fields.some(text) ? fields.map(text) : null;
    const ticked = fields.filter((field) => field.checked);
    if (ticked.some((field) => "none" in field.dataset)) return "none";
    if ("many" in form.dataset) return ticked.length ? ticked.map((field) => field.value) : null;
    return ticked.length ? ticked[0].value : null;
  }

  function numbers(form, fields) {
    const rows = [];
    for (const field of fields) (rows[Number(field.dataset.row)] ??= []).push(text(field));
    return "rows" in form.dataset ? rows : rows[0];
  }

  function table(fields) {
    const found = Object.create(null); // so that no row has a name with a meaning
    for (const field of fields) (found[field.dataset.row] ??= Object.create(null))[field.dataset.column] = text(field) || null;
    return found;
  }

  // A text, a list, rows of lists, or cells by row and column; null where nothing is filled in.
  window.questionValue = (form) => {
    const fields = fieldsOf(form);
    if (form.dataset.kind === "choice") return chosen(form, fields);
    if (!fields.some(text)) return null;
    if (form.dataset.kind === "numbers") return numbers(form, fields);
    return form.dataset.kind === "table" ? table(fields) : text(fields[0]);
  };

  // A field to be filled in before the answer can be judged.
  window.questionGap = (form) => {
    const fields = fieldsOf(form);
    if (window.questionValue(form) === null) return fields[0];
    return form.dataset.kind === "numbers" ? fields.find((field) => !text(field)) : undefined;
  };

  function clear(form) {
    for (const field of fieldsOf(form)) {
      if (field.type === "radio" || field.type === "checkbox") field.checked = false;
      else field.value = "";
    }
    form.dispatchEvent(new Event("change", { bubbles: true }));
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("form.question [data-clear]");
    if (button) clear(button.form);
  });
  document.addEventListener("change", (event) => {
    const field = event.target;
    if (!field.checked || !field.matches?.("form.question[data-many] [data-field]")) return;
    const none = "none" in field.dataset;
    for (const other of fieldsOf(field.form)) if (none !== "none" in other.dataset) other.checked = false;
  });

  const speak = (within) => {
    const lang = document.documentElement.dataset.lang;
    for (const option of within.querySelectorAll("form.question option"))
      if (option.getAttribute("data-" + lang)) option.textContent = option.getAttribute("data-" + lang);
  };
  window.questionWords = speak; // for forms that come later
  document.addEventListener("set-lang", () => speak(document));
  speak(document);
})();
