// The table of students: filter, sort, page, look closer. All text goes in through textContent.
(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const holder = document.getElementById("matrix");
  if (!holder) return;
  const PAGE = 100;
  const [PASSED, UNSTARTED, MISSING, REJECTED, WAITING] = [0, 2, 3, 4, 5];
  const SIGNS = ["", "", "·", "–", "✘", "…"];
  const STATES = ["passed", "failed", "unstarted", "missing", "rejected", "waiting"];

  const lang = () => document.documentElement.dataset.lang;
  const pick = (texts) => texts[texts.length > 1 ? data.languages.indexOf(lang()) : 0];
  const say = (key, values = {}) => pick(data.words[key]).replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const number = (value) => String(Math.round(value * 1e4) / 1e4);

  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name === "on") for (const [event, action] of Object.entries(value)) element.addEventListener(event, action);
      else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children);
    return element;
  }

  const students = data.students.map(([id, file, page, rejected, reason, remarks, score, most, numbers, late]) => {
    const results = numbers.map((n) => data.results[n]); // null: none
    return {
      id, file, page, rejected, score, most, results, late, reason: data.strings[reason], remarks: remarks.map((n) => data.strings[n]),
      share: most ? score / most : 0, sought: id.toLowerCase(),
      mistakes: new Set(results.flatMap((result) => result?.[4] ?? [])),
    };
  });
  const anyLate = students.some((student) => student.late);
  const byId = new Map(students.map((student) => [student.id, student]));

  const wanted = { text: "", unit: "", exercise: "", state: "", mistake: "", from: 0, to: 100 };
  const sorting = { by: "id", down: false };
  let page = 0;

  const columns = () => (wanted.unit === "" ? data.exercises.map((_, n) => n) : data.units[wanted.unit][1]);

  function fits(student) {
    if (wanted.text && !student.sought.includes(wanted.text)) return false;
    if (wanted.mistake !== "" && !student.mistakes.has(Number(wanted.mistake))) return false;
    if (wanted.from > 0 || wanted.to < 100) {
      const share = 100 * student.share;
      if (student.rejected || share < wanted.from || (share >= wanted.to && wanted.to < 100)) return false;
    }
    if (wanted.state === "" && wanted.exercise === "") return true;
    const asked = wanted.exercise === "" ? columns() : [Number(wanted.exercise)];
    return asked.some((n) => student.results[n] && (wanted.state === "" || student.results[n][0] === Number(wanted.state)));
  }

  const keys = {
    id: (student) => student.id,
    total: (student) => student.score,
    counts: (student) => student.late?.[0] ?? student.score,
    note: (student) => note(student),
  };
  const collator = new Intl.Collator(undefined, { numeric: true });

  function chosen() {
    const key = keys[sorting.by] ?? ((student) => student.results[sorting.by]?.[1] ?? -1);
    const sign = sorting.down ? -1 : 1;
    const rows = students.filter(fits).map((student) => [key(student), student]);
    rows.sort(([a, one], [b, other]) => {
      const order = typeof a === "number" ? a - b : collator.compare(a, b);
      return sign * order || collator.compare(one.id, other.id);
    });
    return rows.map(([, student]) => student);
  }

  const note = (student) => student.remarks.map(pick).join("; ");

  function cell(result) {
    if (!result) return make("td", { class: "n" });
    const [state, score, most] = result;
    const lost = most ? 1 - score / most : 1;
    const shown = SIGNS[state] ? SIGNS[state] + (state === MISSING ? "" : " " + number(score)) : number(score);
    const td = make("td", { class: `n cell ${STATES[state]}`, title: pick(data.states[state]) }, shown);
    td.style.setProperty("--lost", lost.toFixed(2));
    return td;
  }

  function heading(by, text, title, numeric) {
    const sorted = String(sorting.by) === String(by);
    const button = make("button", { type: "button", title, on: { click: () => sort(by, numeric) } }, text);
    button.dataset.by = by;
    return make("th", { scope: "col", class: numeric ? "n" : undefined, "aria-sort": sorted ? (sorting.down ? "descending" : "ascending") : undefined }, button);
  }

  function sort(by, numeric) {
    sorting.down = String(sorting.by) === String(by) ? !sorting.down : numeric;
    sorting.by = by;
    page = 0;
    draw();
    holder.querySelector(`[data-by="${CSS.escape(String(by))}"]`)?.focus();
  }

  const because = (student) => (student.late ? student.late[1].map(pick).join("; ") : undefined);

  function row(student) {
    const link = make("a", { href: "#student=" + encodeURIComponent(student.id) }, student.id);
    return make("tr", {},
      make("th", { scope: "row" }, link),
      make("td", { class: "n" }, student.rejected ? pick(data.states[REJECTED]) : `${number(student.score)} / ${number(student.most)}`),
      ...(anyLate ? [make("td", { class: "n", title: because(student) }, number(keys.counts(student)))] : []),
      ...columns().map((n) => cell(student.results[n])),
      make("td", { class: "note", title: note(student) }, note(student)));
  }

  function draw() {
    const rows = chosen();
    const pages = Math.max(1, Math.ceil(rows.length / PAGE));
    page = Math.min(page, pages - 1);
    const head = make("tr", {},
      heading("id", say("student"), undefined, false),
      heading("total", say("total"), undefined, true),
      ...(anyLate ? [heading("counts", say("counts"), undefined, true)] : []),
      ...columns().map((n) => heading(n, data.exercises[n][0], pick(data.exercises[n][1]), true)),
      heading("note", say("stood_out"), undefined, false));
    holder.replaceChildren(make("table", { class: "matrix" },
      make("caption", { class: "vh", id: "matrix-caption" }, say("matrix")),
      make("thead", {}, head), make("tbody", {}, ...rows.slice(page * PAGE, (page + 1) * PAGE).map(row))));
    const parts = [rows.length ? say("shown", { shown: rows.length, all: students.length }) : say("none")];
    if (wanted.from > 0 || wanted.to < 100) parts.push(say("between", { from: wanted.from, to: wanted.to }));
    document.getElementById("shown").textContent = parts.join(" · ");
    drawPages(pages);
    for (const button of document.querySelectorAll("[data-from]"))
      button.setAttribute("aria-pressed", String(wanted.to - wanted.from < 100 && Number(button.dataset.from) === wanted.from));
  }

  function drawPages(pages) {
    const turn = (by) => () => { page += by; draw(); holder.scrollIntoView({ block: "start" }); };
    document.getElementById("pages").replaceChildren(...(pages < 2 ? [] : [
      make("button", { type: "button", disabled: page === 0, on: { click: turn(-1) } }, say("previous")),
      make("span", { class: "soft" }, say("page", { page: page + 1, pages })),
      make("button", { type: "button", disabled: page === pages - 1, on: { click: turn(1) } }, say("next")),
    ]));
  }

  function select(key, label, any, options) {
    const choose = make("select", { id: "filter-" + key, on: { change: () => want({ [key]: choose.value }) } },
      make("option", { value: "" }, any), ...options.map(([value, text]) => make("option", { value }, text)));
    choose.value = wanted[key];
    return make("label", {}, label, choose);
  }

  function want(change) {
    Object.assign(wanted, change);
    if ("unit" in change) Object.assign(wanted, { exercise: "" });
    page = 0;
    if (!("text" in change)) drawFilters();
    draw();
  }

  function drawFilters() {
    const focused = document.activeElement?.id;
    const find = make("input", { type: "search", id: "filter-text", value: wanted.text, autocomplete: "off",
      on: { input: () => want({ text: find.value.trim().toLowerCase() }) } });
    const parts = [make("label", {}, say("search"), find)];
    if (data.units.length > 1) parts.push(select("unit", say("unit"), say("all_units"), data.units.map((unit, n) => [n, pick(unit[0])])));
    parts.push(
      select("exercise", say("exercise"), say("any_exercise"), columns().map((n) => [n, pick(data.exercises[n][1])])),
      select("state", say("state"), say("any_state"), data.states.map((state, n) => [n, pick(state)])));
    if (data.mistakes.length) parts.push(select("mistake", say("mistake"), say("any_mistake"), data.mistakes.map((mistake, n) => [n, mistake[0]])));
    parts.push(make("button", { type: "button", id: "filter-clear",
      on: { click: () => want({ text: "", unit: "", exercise: "", state: "", mistake: "", from: 0, to: 100 }) } }, say("clear")));
    document.getElementById("filters").replaceChildren(...parts);
    if (focused?.startsWith("filter-")) document.getElementById(focused)?.focus();
  }

  const dialog = document.getElementById("student");

  function look(student) {
    const close = make("button", { type: "button", on: { click: () => dialog.close() } }, say("close"));
    const links = make("p", { class: "soft" });
    const name = encodeURIComponent(student.file);
    if (student.page) links.append(make("a", { href: `pages/${name}.html` }, say("report")), " · ");
    links.append(make("a", { href: `reports/${name}.json` }, say("data")));
    const parts = [
      make("div", { class: "row" }, make("h2", { id: "student-name" }, student.id),
        make("span", { class: "score" }, `${number(student.score)} / ${number(student.most)}`), close),
      links];
    if (student.late) parts.push(make("p", { class: "warn" },
      `${say("that_count")} ${number(student.late[0])}; ${because(student)}`));
    if (pick(student.reason)) parts.push(make("p", { class: "warn" }, pick(student.reason)));
    student.results.forEach((result, n) => { if (result && result[0] !== PASSED) parts.push(closer(n, result)); });
    if (student.results.every((result) => !result || result[0] === PASSED)) parts.push(make("p", { class: "good" }, say("all_passed")));
    dialog.replaceChildren(...parts);
    if (!dialog.open) dialog.showModal();
  }

  function closer(n, [state, score, most, reason, mistakes = [], failed = []]) {
    const section = make("section", {},
      make("div", { class: "row" }, make("h3", {}, pick(data.exercises[n][1])),
        make("span", { class: "pill " + STATES[state] }, pick(data.states[state])),
        make("span", { class: "score" }, `${number(score)} / ${number(most)}`)));
    for (const m of mistakes) section.append(make("div", { class: "callout" }, make("p", {},
      make("a", { href: "#mistake-" + m, on: { click: () => dialog.close() } }, pick(data.mistakes[m][1])))));
    const why = reason === undefined ? "" : pick(data.strings[reason]);
    if (why && state !== UNSTARTED) section.append(make("pre", {}, why));
    if (failed.length && state !== UNSTARTED) section.append(make("details", {},
      make("summary", {}, say("failed_checks", { count: failed.length })),
      make("ul", {}, ...failed.map((c) => make("li", {}, pick(data.checks[c]))))));
    return section;
  }

  function followHash() {
    const rare = document.getElementById("more-mistakes");
    if (location.hash.startsWith("#mistake-") && rare?.contains(document.getElementById(location.hash.slice(1)))) rare.open = true;
    const named = location.hash.startsWith("#student=") && byId.get(decodeURIComponent(location.hash.slice(9)));
    if (named) look(named);
    else if (dialog.open) dialog.close();
  }

  dialog.addEventListener("close", () => {
    if (location.hash.startsWith("#student=")) history.replaceState(null, "", location.pathname + location.search);
  });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  addEventListener("hashchange", followHash);
  document.getElementById("filters").addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("set-lang", () => { drawFilters(); draw(); if (dialog.open) followHash(); });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-mistake], [data-from]");
    if (!button) return;
    const none = { text: "", unit: "", exercise: "", state: "", mistake: "", from: 0, to: 100 };
    const again = button.getAttribute("aria-pressed") === "true";
    if (button.dataset.mistake) want({ ...none, mistake: button.dataset.mistake });
    else want(again ? none : { ...none, from: Number(button.dataset.from), to: Number(button.dataset.to) });
    if (button.dataset.mistake) { document.getElementById("everyone").scrollIntoView(); holder.focus({ preventScroll: true }); }
  });

  drawFilters();
  draw();
  followHash();
})();
