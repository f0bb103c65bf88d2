// Drawings that a reader moves: controls, a picture, its numbers in words. What is set stands in the address.
// A lesson names the kind and gives controls, words and data; a kind makes of them what is seen:
// (values, words, data, width) => { height, picture: [svg ...], says: { name: text }, table: [head, ...rows], open }.
(() => {
  "use strict";
  const PAUSE = 700, HEARD = 8000; // milliseconds until the numbers are said aloud and kept in the address, and until they are unsaid
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
  const box = (x, y, width, height, kind, rx = 3) => svg("rect", { x, y, width: Math.max(0, width), height: Math.max(0, height), rx, class: kind });
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

  function softmax(scores) {
    const most = Math.max(...scores), parts = scores.map((score) => Math.exp(score - most)), total = sum(parts);
    return parts.map((part) => part / total);
  }
  const entropy = (weights) => -sum(weights.map((p) => (p > 0 ? p * Math.log(p) : 0)));

  // Columns from 0 to 1, a number above each and a label below; `dashed` draws other heights as outlines.
  function columns(weights, labels, { x = 0, width, top, height, dashed }) {
    const room = width / weights.length, thick = Math.min(46, room * 0.62);
    return [line(x, top + height, x + width, top + height), ...weights.flatMap((weight, i) => {
      const middle = x + room * (i + 0.5), left = middle - thick / 2, up = (part) => top + height * (1 - part);
      const other = dashed ? [box(left, up(dashed[i]), thick, height * dashed[i], "ghost")] : [];
      return [box(left, up(weight), thick, height * weight, "p6"), ...other, text(middle, up(Math.max(weight, dashed?.[i] || 0)) - 5, number(weight, 2), "strong"), text(middle, top + height + 15, labels[i])];
    })];
  }

  // -- the kinds -----------------------------------------------------------------------------------------------------
  const KINDS = {
    softmax(values, words, _data, width) {
      const own = ["a", "b", "c", "d"].map((name) => values[name]), moved = own.map((score) => score + values.add);
      const weights = softmax(moved.map((score) => score / values.t)), room = width / own.length, zero = 84;
      const picture = [text(0, 12, words.scores, "start soft"), line(0, zero, width, zero), ...moved.flatMap((score, i) => {
        const x = room * (i + 0.5), y = zero - 8 * score;
        return [line(x, zero, x, y, "stem"), svg("circle", { cx: x, cy: y, r: 6, class: score < 0 ? "n6" : "p6" }), text(x + 12, y + 4, number(score, 1), "start")];
      }), text(0, 162, words.weights, "start soft"), text(width, 162, words.dashed, "end soft")];
      picture.push(...columns(weights, own.map((_, i) => i + 1), { width, top: 186, height: 110, dashed: softmax(own) }));
      return { height: 314, picture, says: { weights: row(weights), largest: number(Math.max(...weights)), entropy: number(entropy(weights)), most: number(Math.log(own.length)) } };
    },

    scale({ d, scaled, query }, words, _data, width) {
      const divisor = scaled ? Math.sqrt(d) : 1, rows = drawn()[Math.log2(d)].map((scores) => scores.map((score) => score / divisor));
      const own = rows[query - 1], weights = softmax(own), all = rows.flat(), REACH = 48, spread = scaled ? 1 : Math.sqrt(d);
      const bins = new Array(2 * REACH).fill(0), at = (score) => (width * (score + REACH)) / (2 * REACH), foot = 118;
      for (const score of all) if (Math.abs(score) < REACH) bins[Math.floor(score + REACH)] += 1;
      const most = Math.max(...bins), peak = all.length / (spread * Math.sqrt(2 * Math.PI));
      const bell = range(width).map((x) => [x, foot - (90 * Math.min(1.08 * most, peak * Math.exp(-0.5 * (((x / width) * 2 - 1) * REACH / spread) ** 2))) / most]);
      const picture = [text(0, 12, words.scores, "start soft"), text(width, 12, words.curve, "end soft"),
        ...bins.map((count, i) => box(at(i - REACH), foot - (90 * count) / most, width / bins.length - 0.5, (90 * count) / most, "p4", 0)),
        path(bell, "curve"), line(0, foot, width, foot), ...[-40, -20, 0, 20, 40].map((tick) => text(at(tick), foot + 26, plain(tick))),
        ...own.map((score) => svg("circle", { cx: at(Math.max(-REACH, Math.min(REACH, score))), cy: foot, r: 4.5, class: "n8 ring" })),
        text(0, 168, words.weights, "start soft"), ...columns(weights, own.map((score) => number(score, 1)), { width, top: 190, height: 100 })];
      const middle = sum(all) / all.length, variance = sum(all.map((score) => (score - middle) ** 2)) / (all.length - 1);
      const mean = sum(rows.map((scores) => Math.max(...softmax(scores)))) / rows.length;
      return { height: 310, picture, says: { variance: number(variance, 2), scores: row(own), weights: row(weights), largest: number(Math.max(...weights)), entropy: number(entropy(weights)), mean: number(mean), count: plain(all.length), queries: plain(rows.length) } };
    },

    masks({ t, s, offset, window, causal }, words, _data, width) {
      const sees = range(t).map((i) => range(s).map((j) => Math.abs(offset + i - j) < window && (!causal || j <= offset + i)));
      const side = Math.min(36, (width - 48) / s), left = 46, top = 42, at = (j) => left + side * (j + 0.5);
      const cached = Math.min(offset, s), middle = top + (side * t) / 2;
      const picture = [text(left - 10, 32, words.keys, "end soft"), svg("text", { x: 10, y: middle, class: "soft", transform: `rotate(-90 10 ${middle})` }, words.queries), ...range(s).map((j) => text(at(j), 32, j))];
      if (cached) picture.push(line(left + 2, 17, left + side * cached - 3, 17, "mark"), text(left + 2, 11, words.cached, "start soft"));
      sees.forEach((keys, i) => {
        picture.push(text(left - 10, top + side * (i + 0.5) + 4, offset + i, "end"));
        keys.forEach((seen, j) => picture.push(box(left + side * j + 1, top + side * i + 1, side - 2, side - 2, seen ? "p6" : "off"), ...(j === offset + i ? [box(left + side * j + 3.5, top + side * i + 3.5, side - 7, side - 7, seen ? "own over" : "own")] : [])));
      });
      const some = (keys) => keys.flatMap((seen, j) => (seen ? [j] : [])), span = (keys) => (some(keys).length ? (some(keys).length > 1 ? `${some(keys)[0]}–${some(keys).at(-1)}` : String(some(keys)[0])) : words.none);
      return { height: top + side * t + 4, picture, says: { seen: plain(sum(sees.flat().map(Number))), all: plain(t * s), first: span(sees[0]), last: span(sees.at(-1)), dead: plain(sees.filter((keys) => !keys.includes(true)).length) }, table: [[words.query, words.sees], ...sees.map((keys, i) => [offset + i, span(keys)])] };
    },

    rope({ m, n, both, pair, base }, words, data, width) {
      const pairs = data.pairs[0], speeds = range(pairs).map((i) => base ** (-i / pairs)), speed = speeds[pair], far = m - n, REACH = 40;
      const angles = [(m + both) * speed, (n + both) * speed], alone = (distance) => Math.cos(distance * speed), all = (distance) => sum(speeds.map((one) => Math.cos(distance * one)));
      const radius = 84, x = 96, y = 98, on = (angle, r = radius) => [x + r * Math.cos(angle), y - r * Math.sin(angle)];
      const turn = Math.atan2(Math.sin(angles[0] - angles[1]), Math.cos(angles[0] - angles[1])), wedge = range(41).map((i) => on(angles[1] + (turn * i) / 40, 34));
      const arrow = (angle, kind) => [line(x, y, ...on(angle), "arrow " + kind), svg("circle", { cx: on(angle)[0], cy: on(angle)[1], r: 7, class: kind })];
      const narrow = width < 330, note = (i, said, kind) => [svg("circle", { cx: 208, cy: 52 + 26 * i, r: 6, class: kind }), text(222, 56 + 26 * i, said, "start")];
      const picture = [svg("circle", { cx: x, cy: y, r: radius, class: "axis" }), line(x - radius - 6, y, x + radius + 6, y), line(x, y - radius - 6, x, y + radius + 6),
        path([[x, y], ...wedge, [x, y]], "wedge"), ...arrow(angles[1], "n6"), ...arrow(angles[0], "p6"),
        ...note(0, `${words.query} ${plain(m + both)}`, "p6"), ...note(1, `${words.key} ${plain(n + both)}`, "n6"), ...note(2, `${narrow ? "∠" : words.angle} ${number(turn, 2)}`, "p2")];
      const foot = 262, up = (part) => foot - 44 * part, along = (distance) => (width * (distance + REACH)) / (2 * REACH), curve = (score, kind) => path(range(321).map((i) => [along((i - 160) / 4), up(score((i - 160) / 4))]), kind);
      picture.push(text(0, 208, words.pair, "start soft strong"), text(width, 208, words.all, "end soft"), line(0, foot, width, foot), line(along(0), up(1), along(0), up(-1)), curve((distance) => all(distance) / pairs, "faint"), curve(alone, "curve"));
      picture.push(line(along(far), up(1), along(far), up(-1), "mark"), svg("circle", { cx: along(far), cy: up(all(far) / pairs), r: 5, class: "p2 ring" }), svg("circle", { cx: along(far), cy: up(alone(far)), r: 6, class: "p8 ring" }), ...[-40, -20, 0, 20, 40].map((tick) => text(Math.max(12, Math.min(width - 12, along(tick))), 326, plain(tick))), text(width / 2, 344, words.distance, "soft"));
      return { height: 350, picture, says: { distance: plain(far), speed: number(speed, 6), query: row(on(angles[0], 1).map((value, i) => (i ? y - value : value - x))), key: row(on(angles[1], 1).map((value, i) => (i ? y - value : value - x))), pair: number(alone(far)), all: number(all(far)) } };
    },

    heads({ heads, kv, head, dim, tokens }, words, data, width) {
      const each = heads / kv, at = (i, count) => (width * (i + 0.5)) / count, r = Math.min(15, width / heads / 2 - 1.5), top = 40, low = 148, reads = Math.floor(head / each);
      const kind = (group) => (group % 2 ? "n6" : "p6"), bytes = (count) => 2 * count * dim * data.bytes[0];
      const picture = [text(0, 12, words.queries, "start soft"), text(0, low + 38, words.shared, "start soft")];
      for (const i of range(heads)) picture.push(line(at(i, heads), top, at(Math.floor(i / each), kv), low - 12, i === head ? "link chosen" : "link"));
      for (const i of range(heads)) picture.push(svg("circle", { cx: at(i, heads), cy: top, r, class: kind(Math.floor(i / each)) + (i === head ? " chosen" : "") }), text(at(i, heads), top + 4, i, "over" + (r < 10 ? " small" : "")));
      for (const i of range(kv)) picture.push(box(at(i, kv) - Math.max(r, 8), low - 12, 2 * Math.max(r, 8), 26, kind(i) + (i === reads ? " chosen" : "")), text(at(i, kv), low + 5, i, "over" + (r < 10 ? " small" : "")));
      picture.push(text(0, 222, words.cache, "start soft"), text(width, 222, `${number((100 * kv) / heads, kv / heads < 0.1 ? 2 : 1).replace(/\.?0+$/, "")} %`, "end strong"), box(0, 230, width, 16, "off", 5), box(0, 230, (width * kv) / heads, 16, "p6", 5));
      return { height: 250, picture, says: { head: plain(head), reads: plain(reads), each: plain(each), token: plain(bytes(kv)), total: plain(bytes(kv) * tokens), full: plain(bytes(heads) * tokens) } };
    },

    tiles({ block, step }, words, data, width) {
      const { scores, values } = data, room = width / scores.length, high = Math.max(...scores), unit = 110 / (high - Math.min(0, ...scores)), foot = 30 + unit * high;
      const table = [[words.step, words.block, "m", words.factor, "l", "o", "o / l"]];
      let m = -Infinity, l = 0, o = 0, before = m, factor = 0;
      for (const i of range(step)) {
        const keys = range(scores.length).slice(i * block, (i + 1) * block);
        [before, m] = [m, Math.max(m, ...keys.map((j) => scores[j]))];
        factor = Math.exp(before - m);
        l = factor * l + sum(keys.map((j) => Math.exp(scores[j] - m)));
        o = factor * o + sum(keys.map((j) => Math.exp(scores[j] - m) * values[j]));
        table.push([i + 1, `${keys[0]}–${keys.at(-1)}`, plain(m), number(factor), number(l), number(o), number(o / l)]);
      }
      const state = (j) => Math.floor(j / block) - (step - 1), picture = [text(0, 12, words.scores, "start soft")];
      scores.forEach((score, j) => picture.push(box(j * room + room * 0.18, foot - unit * Math.max(0, score), room * 0.64, Math.max(2, Math.abs(score) * unit), state(j) > 0 || !step ? "p1 outline" : state(j) ? "p4" : "p6"), text((j + 0.5) * room, 158, plain(values[j])), text((j + 0.5) * room, foot - unit * Math.max(0, score) - 5, plain(score), "strong")));
      for (const i of range(Math.ceil(scores.length / block))) picture.push(line(i * block * room + 4, 166, Math.min(scores.length, (i + 1) * block) * room - 4, 166, i === step - 1 ? "mark thick" : "stem"));
      picture.push(line(0, foot, width, foot), text(0, 184, words.values, "start soft"));
      if (step > 1 && before < m) picture.push(line(0, foot - unit * before, (step - 1) * block * room, foot - unit * before, "faint"));
      if (step) picture.push(line(0, foot - unit * m, Math.min(scores.length, step * block) * room, foot - unit * m, "mark"), text(width, 12, `m = ${plain(m)}`, "end strong"));
      const whole = sum(softmax(scores).map((weight, j) => weight * values[j]));
      return { height: 190, picture, table, open: true, says: { m: plain(m), factor: number(factor), l: number(l), o: number(o), ratio: step ? number(o / l) : "–", whole: number(whole) } };
    },
  };

  // What a control may be at most while others are as they are.
  const LIMITS = {
    heads: ({ heads }) => ({ kv: heads, head: heads - 1 }),
    tiles: ({ block }, { scores }) => ({ step: Math.ceil(scores.length / block) }),
  };

  // Scores of 200 queries with six keys each, by the power of two of the number of channels: always the same vectors,
  // entries independent with mean 0 and variance 1, of which the first 1, 2, 4, ... channels are taken.
  let found;
  function drawn() {
    if (found) return found;
    let state = 20170612;
    const chance = () => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
    const normal = () => Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance());
    const vector = () => range(256).map(normal);
    found = range(9).map(() => []);
    for (const query of range(200).map(vector)) {
      const keys = range(6).map(vector);
      found.forEach((rows, power) => rows.push(keys.map((key) => sum(key.slice(0, 2 ** power).map((value, i) => value * query[i])))));
    }
    return found;
  }

  // -- controls, and a figure with them ------------------------------------------------------------------------------
  function control({ name, label, values }, changed) {
    const id = `control-${++made}`, tick = values.length === 2 && !values[0] && values[1] === 1, said = html("span", { class: "value", "aria-hidden": "true" });
    const input = html("input", tick ? { type: "checkbox", id } : { type: "range", id, min: 0, max: values.length - 1, step: 1 });
    input.dataset.control = name;
    input.addEventListener("input", () => changed(name, tick ? Number(input.checked) : values[input.value]));
    const node = html("div", { class: tick ? "control tick" : "control" }, ...(tick ? [input, html("label", { for: id }, label)] : [html("label", { for: id }, label), said, input]));
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
    const spec = JSON.parse(figure.dataset.explore), initial = Object.fromEntries(spec.controls.map(({ name, start }) => [name, start]));
    figure.dataset.ready = "";
    if (!KINDS[spec.kind]) return;
    const old = groups.get(spec.kind), group = old?.views.some((view) => view.figure.isConnected) ? old : { spec, initial, values: { ...initial }, views: [] };
    groups.set(spec.kind, group);
    const part = (name) => figure.querySelector(name), seen = part(".seen"), details = part(".moving details"), says = part(".says"), status = part("[role=status]");
    const controls = spec.controls.map((one) => control(one, (name, value) => set(group, { [name]: value })));
    part(".controls").prepend(...controls.map(({ node }) => node));
    part("button").addEventListener("click", () => set(group, { ...initial }));
    part(".still")?.remove();
    part(".moving").hidden = false;
    let width = 0;
    const show = (values) => {
      const most = limits(spec, values);
      spec.controls.forEach(({ name }, i) => controls[i].show(values[name], most[name] ?? Infinity));
      width = Math.floor(Math.min(seen.clientWidth, 460));
      if (!width) return; // in the other language
      const { height, picture, says: numbers, table, open } = KINDS[spec.kind](values, spec.words, spec.data, width);
      seen.replaceChildren(svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" }, ...picture));
      told(says, spec.words.says, numbers);
      if (table) tabled(details.querySelector("div"), table);
      details.hidden = !table;
      if (open && !details.dataset.opened) details.dataset.opened = details.open = true;
    };
    group.views.push({ figure, show, say: (quiet) => (status.textContent = quiet || !width ? "" : says.textContent) });
    new ResizeObserver(() => requestAnimationFrame(() => Math.floor(Math.min(seen.clientWidth, 460)) !== width && show(group.values))).observe(seen);
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
      history.replaceState(history.state, "", `#explore-${group.spec.kind};` + Object.entries(group.values).map((pair) => pair.join("=")).join(";"));
      for (const view of group.views) view.say(false);
      group.wait = setTimeout(() => group.views.forEach((view) => view.say(true)), HEARD);
    }, PAUSE);
  }

  function restore() {
    const [name, ...pairs] = location.hash.slice(1).split(";"), group = name.startsWith("explore-") && groups.get(name.slice(8));
    if (!group) return;
    const asked = new Map(pairs.map((pair) => pair.split("=")));
    const wanted = group.spec.controls.filter((one) => asked.get(one.name) && Number.isFinite(Number(asked.get(one.name))));
    set(group, Object.fromEntries(wanted.map((one) => [one.name, near(one.values, Number(asked.get(one.name)))])));
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
  window.explore();
})();
