// The two switches: language and colours. Both are remembered where the browser lets a page remember.
(() => {
  "use strict";
  const root = document.documentElement;
  const remembered = (key) => { try { return localStorage.getItem("grader-" + key); } catch { return null; } };
  const remember = (key, value) => { try { localStorage.setItem("grader-" + key, value); } catch { /* not allowed here */ } };

  function set(key, value) {
    root.dataset[key] = value;
    if (key === "lang") root.lang = value;
    for (const button of document.querySelectorAll(`[data-set="${key}"]`))
      button.setAttribute("aria-pressed", String(button.value === value));
    document.dispatchEvent(new Event("set-" + key));
  }

  for (const [key, preset] of [["lang", root.dataset.lang], ["theme", ""]]) {
    const last = remembered(key);
    const offered = [...document.querySelectorAll(`[data-set="${key}"]`)].some((button) => button.value === last);
    set(key, offered ? last : preset);
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-set]");
    if (!button) return;
    set(button.dataset.set, button.value);
    remember(button.dataset.set, button.value);
  });
})();
