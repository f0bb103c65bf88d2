// Drawings that a reader moves: controls, a picture, its numbers in words. What is set stands in the address.
// A lesson names the kind and gives controls, words and data; a kind makes of them what is seen:
// (values, words, data, width) => { height, picture: [svg ...], says: { name: text }, table: [head, ...rows], open }.
// The kinds are the course's: its lessons/explore.js calls explore.kinds(tools => ({ kinds, limits })). A limit says
// what a control may be at most while others are as they are: (values, data) => { name: most }.
(() => {
  "use strict";
  const PAUSE = 700, HEARD = 8000; // milliseconds until numbers are said and kept in the address, and until they are unsaid
  const groups = new Map(); // by kind: what is set, and the figures that show it, one for each language
  let made = 0;

  // -- elements and numbers ------------------------------------------------------------------------------------------
  function element(space) {
    return (tag, attributes = {}, ...children) => {
      const found = document.createElementNS(space, tag);
      for (const [name, value] of Object.entries(attributes)) found.setAttribute(name, value);
      found.append(...children.map((child) => (child instanceof Node ? child : String(child))));
      return found;
    };
  }
  const svg = element("http://www.w3.org/2000/svg"), html = element("http://www.w3.org/1999/xhtml");
  const text = (x, y, said, kind = "") => svg("text", { x, y, class: kind }, said);
  const line = (x1, y1, x2, y2, kind = "axis") => svg("line", { x1, y1, x2, y2, class: kind });
  const box = (x, y, width, height, kind, rx = 3) => svg("rect", { x, y, width: Math.max(0, width), height, rx, class: kind });
  const path = (points, kind) => svg("path", { d: "M" + points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L"), class: kind });
  const range = (count) => Array.from({ length: count }, (_, i) => i);
  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

  function number(value, digits = 4) {
    if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
    const rounded = Number(value.toFixed(digits)) + 0; // no -0
    return rounded.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }).replace("-", "−");
  }
  const row = (numbers, digits = 4) => `[${numbers.map((value) => number(value, digits)).join(", ")}]`;
  const plain = (value) => number(value, Number.isInteger(value) ? 0 : String(value).split(".")[1]?.length || 0);

  // Columns from 0 to 1, a number above each and a label below; `dashed` draws other heights as outlines.
  function columns(weights, labels, { x = 0, width, top, height, dashed }) {
    const room = width / weights.length, thick = Math.min(46, room * 0.62);
    return [line(x, top + height, x + width, top + height), ...weights.flatMap((weight, i) => {
      const middle = x + room * (i + 0.5), left = middle - thick / 2, up = (part) => top + height * (1 - part);
      const other = dashed ? [box(left, up(dashed[i]), thick, height * dashed[i], "ghost")] : [];
      const said = text(middle, up(Math.max(weight, dashed?.[i] || 0)) - 5, number(weight, 2), "strong");
      return [box(left, up(weight), thick, height * weight, "p6"), ...other, said, text(middle, top + height + 15, labels[i])];
    })];
  }

  // -- the kinds: a course's own script gives them, made with these tools --------------------------------------------
  const KINDS = {}, LIMITS = {};
  const TOOLS = { svg, text, line, box, path, range, sum, number, row, plain, columns };

  // -- controls, and a figure with them ------------------------------------------------------------------------------
  function control({ name, label, values }, changed) {
    const id = `control-${++made}`, tick = values.length === 2 && !values[0] && values[1] === 1;
    const input = html("input", tick ? { type: "checkbox", id } : { type: "range", id, min: 0, max: values.length - 1, step: 1 });
    const named = html("label", { for: id }, label), said = html("span", { class: "value", "aria-hidden": "true" });
    input.dataset.control = name;
    input.addEventListener("input", () => changed(name, tick ? Number(input.checked) : values[input.value]));
    const node = html("div", { class: tick ? "control tick" : "control" }, ...(tick ? [input, named] : [named, said, input]));
    const show = (value, most) => {
      if (tick) return void (input.checked = Boolean(value));
      input.max = values.filter((one) => one <= most).length - 1;
      input.value = values.indexOf(value);
      input.setAttribute("aria-valuetext", plain(value));
      said.textContent = plain(value);
    };
    return { node, show };
  }

  const near = (values, wanted) => values.reduce((best, value) => (Math.abs(value - wanted) < Math.abs(best - wanted) ? value : best));
  const limits = (spec, values) => LIMITS[spec.kind]?.(values, spec.data) || {};

  function told(paragraph, template, says) {
    const pieces = template.split(/\{(\w+)\}/).map((piece, i) => (i % 2 ? html("b", { "data-number": piece }, says[piece]) : piece));
    paragraph.replaceChildren(...pieces);
  }

  function tabled(room, table) {
    const lines = table.map((cells, i) => html("tr", {}, ...cells.map((cell) => html(i ? "td" : "th", i ? {} : { scope: "col" }, cell))));
    room.replaceChildren(html("table", { class: "numbers" }, html("tbody", {}, ...lines)));
  }

  function begin(figure) {
    const spec = JSON.parse(figure.dataset.explore), part = (name) => figure.querySelector(name);
    const initial = Object.fromEntries(spec.controls.map(({ name, start }) => [name, start]));
    figure.dataset.ready = "";
    if (!KINDS[spec.kind]) return;
    const old = groups.get(spec.kind), other = old?.views.some((view) => view.figure.isConnected);
    const group = other ? old : { spec, initial, values: { ...initial }, views: [] };
    groups.set(spec.kind, group);
    const seen = part(".view"), details = part(".moving details"), says = part(".says"), status = part("[role=status]");
    const room = () => Math.floor(Math.min(seen.clientWidth, 460));
    const controls = spec.controls.map((one) => control(one, (name, value) => set(group, { [name]: value })));
    part(".controls").prepend(...controls.map(({ node }) => node));
    part("button").addEventListener("click", () => set(group, { ...initial }));
    part(".still")?.remove();
    part(".moving").hidden = false;
    let width = 0;
    const show = (values) => {
      const most = limits(spec, values);
      spec.controls.forEach(({ name }, i) => controls[i].show(values[name], most[name] ?? Infinity));
      width = room();
      if (!width) return; // in the other language
      const { height, picture, says: numbers, table, open } = KINDS[spec.kind](values, spec.words, spec.data, width);
      seen.replaceChildren(svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" }, ...picture));
      told(says, spec.words.says, numbers);
      if (table) tabled(details.querySelector("div"), table);
      details.hidden = !table;
      if (open && !details.dataset.opened) details.dataset.opened = details.open = true;
    };
    group.views.push({ figure, show, say: (quiet) => (status.textContent = quiet || !width ? "" : says.textContent) });
    new ResizeObserver(() => requestAnimationFrame(() => room() !== width && show(group.values))).observe(seen);
    show(group.values);
  }

  function set(group, values) {
    Object.assign(group.values, values);
    const most = limits(group.spec, group.values);
    for (const { name, values: offered } of group.spec.controls)
      if (group.values[name] > most[name]) group.values[name] = Math.max(...offered.filter((value) => value <= most[name]));
    group.views = group.views.filter((view) => view.figure.isConnected);
    for (const view of group.views) { view.show(group.values); view.say(true); }
    clearTimeout(group.wait);
    group.wait = setTimeout(() => {
      const set = Object.entries(group.values).map(([name, value]) => `;${name}=${value}`);
      history.replaceState(history.state, "", `#explore-${group.spec.kind}${set.join("")}`);
      for (const view of group.views) view.say(false);
      group.wait = setTimeout(() => group.views.forEach((view) => view.say(true)), HEARD);
    }, PAUSE);
  }

  function restore() {
    const [name, ...pairs] = location.hash.slice(1).split(";"), group = name.startsWith("explore-") && groups.get(name.slice(8));
    if (!group) return;
    const asked = new Map(pairs.map((pair) => pair.split("=")));
    const wanted = group.spec.controls.filter(({ name: one }) => asked.get(one) && Number.isFinite(Number(asked.get(one))));
    set(group, Object.fromEntries(wanted.map(({ name: one, values }) => [one, near(values, Number(asked.get(one)))])));
    group.views.find((view) => view.figure.offsetWidth)?.figure.scrollIntoView();
  }

  const everywhere = (which) => groups.forEach((group) => group.views.forEach((view) => view.show(group[which])));
  addEventListener("beforeprint", () => everywhere("initial"));
  addEventListener("afterprint", () => everywhere("values"));
  addEventListener("hashchange", restore);
  window.explore = (root = document) => {
    const fresh = root.querySelectorAll("[data-explore]:not([data-ready])");
    fresh.forEach(begin);
    if (fresh.length) restore();
  };
  window.explore.kinds = (make) => {
    const { kinds, limits } = make(TOOLS);
    Object.assign(KINDS, kinds);
    Object.assign(LIMITS, limits);
    window.explore();
  };
})();
