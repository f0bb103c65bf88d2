// What was read, remembered where the browser lets a page remember; and the search on the page of contents.
(() => {
  "use strict";
  const key = (unit) => "grader-read-" + unit;
  const stored = (unit) => { try { return localStorage.getItem(key(unit)) === "yes"; } catch { return false; } };
  const store = (unit, yes) => { try { yes ? localStorage.setItem(key(unit), "yes") : localStorage.removeItem(key(unit)); } catch { /* not allowed here */ } };

  for (const button of document.querySelectorAll("[data-read]")) {
    const show = (yes) => button.setAttribute("aria-pressed", String(yes));
    show(stored(button.dataset.read));
    button.addEventListener("click", () => {
      const yes = button.getAttribute("aria-pressed") !== "true";
      store(button.dataset.read, yes);
      show(yes);
    });
  }
  for (const line of document.querySelectorAll("[data-unit]"))
    line.querySelector(".done").hidden = !stored(line.dataset.unit);

  const source = document.getElementById("index");
  if (!source) return;
  const { sections, none } = JSON.parse(source.textContent);
  const field = document.getElementById("find"), results = document.getElementById("results"), list = results.querySelector("ul");
  const MOST = 20, AROUND = 60;

  function item(link, title, heading, snippet) {
    const line = document.createElement("li"), anchor = document.createElement("a"), text = document.createElement("p");
    anchor.href = link;
    anchor.textContent = title + ": " + heading;
    text.className = "soft";
    text.textContent = snippet;
    line.append(anchor, text);
    return line;
  }

  function search() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean), lang = document.documentElement.dataset.lang;
    results.hidden = !words.length;
    list.replaceChildren();
    for (const [link, language, title, heading, prose] of sections) {
      const all = (heading + " " + prose).toLowerCase();
      if (language !== lang || list.children.length >= MOST || !words.every((word) => all.includes(word))) continue;
      const at = Math.max(0, prose.toLowerCase().indexOf(words[0]) - AROUND);
      list.append(item(link, title, heading, (at ? "… " : "") + prose.slice(at, at + 3 * AROUND) + " …"));
    }
    if (words.length && !list.children.length) list.append(none[lang]);
  }

  field.value = new URLSearchParams(location.search).get("q") || "";
  field.addEventListener("input", search);
  field.form.addEventListener("submit", (event) => { event.preventDefault(); search(); });
  document.addEventListener("set-lang", search);
  search();
})();
