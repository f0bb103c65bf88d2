// Keys: / to the search, n and p to the next and previous page; on answers 0 to 9 give points, a dot first adds a half.
(() => {
  "use strict";
  let half = false;
  const press = (points) => {
    const button = [...document.querySelectorAll('#marks button[name="points"]')].find((b) => Number(b.value) === points);
    if (button) button.click();
    return Boolean(button);
  };
  const go = (rel) => { const link = document.querySelector(`main a[rel="${rel}"]`); if (link) link.click(); };
  const focus = (selector) => { const field = document.querySelector(selector); if (field) field.focus(); return Boolean(field); };
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select");
    if (event.key === "Escape" && typing) { typing.blur(); return; }
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const wanted = half ? Number(event.key) + 0.5 : Number(event.key);
    const done = event.key === "/" ? focus("#search") : event.key === "c" ? focus("#marks textarea")
      : event.key === "n" ? go("next") : event.key === "p" ? go("prev") : /^[0-9]$/.test(event.key) ? press(wanted) : false;
    half = event.key === "." || event.key === ",";
    if (done) event.preventDefault();
  });
})();
