// The drawings of the lessons that a reader moves.
window.explore.kinds((tools) => {
  "use strict";
  const { svg, text, line, box, path, range, sum, number, row, plain, columns } = tools;

  function softmax(scores) {
    const most = Math.max(...scores), parts = scores.map((score) => Math.exp(score - most)), total = sum(parts);
    return parts.map((part) => part / total);
  }
  const entropy = (weights) => -sum(weights.map((p) => (p > 0 ? p * Math.log(p) : 0)));

  const kinds = {
    softmax(values, words, _data, width) {
      const own = ["a", "b", "c", "d"].map((name) => values[name]), moved = own.map((score) => score + values.add);
      const weights = softmax(moved.map((score) => score / values.t)), room = width / own.length, zero = 84;
      const picture = [text(0, 12, words.scores, "start soft"), line(0, zero, width, zero), ...moved.flatMap((score, i) => {
        const x = room * (i + 0.5), y = zero - 8 * score;
        const dot = svg("circle", { cx: x, cy: y, r: 6, class: score < 0 ? "n6" : "p6" });
        return [line(x, zero, x, y, "stem"), dot, text(x + 11, y + (score < 0 ? 12 : -2), number(score, 1), "start")];
      })];
      picture.push(text(0, 162, words.weights, "start soft"), text(width, 162, words.dashed, "end soft"));
      picture.push(...columns(weights, own.map((_, i) => i + 1), { width, top: 186, height: 110, dashed: softmax(own) }));
      const says = { weights: row(weights), most: number(Math.log(own.length)) };
      return { height: 314, picture, says: { ...says, largest: number(Math.max(...weights)), entropy: number(entropy(weights)) } };
    },

    scale({ d, scaled, query }, words, _data, width) {
      const REACH = 48, divisor = scaled ? Math.sqrt(d) : 1, spread = scaled ? 1 : Math.sqrt(d), foot = 118, tall = 90;
      const rows = drawn()[Math.log2(d)].map((scores) => scores.map((score) => score / divisor)), all = rows.flat();
      const own = rows[query - 1], weights = softmax(own), at = (score) => (width * (score + REACH)) / (2 * REACH);
      const bins = new Array(2 * REACH).fill(0);
      for (const score of all) if (Math.abs(score) < REACH) bins[Math.floor(score + REACH)] += 1;
      const most = Math.max(...bins), peak = all.length / (spread * Math.sqrt(2 * Math.PI));
      const bell = range(width).map((x) => {
        const normal = peak * Math.exp(-0.5 * (((2 * x) / width - 1) * (REACH / spread)) ** 2);
        return [x, foot - (tall * Math.min(1.08 * most, normal)) / most];
      });
      const picture = [text(0, 12, words.scores, "start soft"), text(width, 12, words.curve, "end soft")];
      bins.forEach((count, i) => {
        const high = (tall * count) / most;
        picture.push(box(at(i - REACH), foot - high, width / bins.length - 0.5, high, "p4", 0));
      });
      picture.push(path(bell, "curve"), line(0, foot, width, foot));
      for (const tick of [-40, -20, 0, 20, 40]) picture.push(text(at(tick), foot + 26, plain(tick)));
      for (const score of own)
        picture.push(svg("circle", { cx: at(Math.max(-REACH, Math.min(REACH, score))), cy: foot, r: 4.5, class: "n8 ring" }));
      const labels = own.map((score) => number(score, 1));
      picture.push(text(0, 168, words.weights, "start soft"), ...columns(weights, labels, { width, top: 190, height: 100 }));
      const middle = sum(all) / all.length, variance = sum(all.map((score) => (score - middle) ** 2)) / (all.length - 1);
      const mean = sum(rows.map((scores) => Math.max(...softmax(scores)))) / rows.length;
      const says = { scores: row(own), weights: row(weights), largest: number(Math.max(...weights)), entropy: number(entropy(weights)) };
      const overall = { variance: number(variance, 2), mean: number(mean), count: plain(all.length), queries: plain(rows.length) };
      return { height: 310, picture, says: { ...says, ...overall } };
    },

    masks({ t, s, offset, window, causal }, words, _data, width) {
      const visible = (i, j) => Math.abs(offset + i - j) < window && (!causal || j <= offset + i);
      const sees = range(t).map((i) => range(s).map((j) => visible(i, j)));
      const side = Math.min(36, (width - 48) / s), left = 46, top = 42, cached = Math.min(offset, s), middle = top + (side * t) / 2;
      const picture = [
        text(left - 10, 32, words.keys, "end soft"), ...range(s).map((j) => text(left + side * (j + 0.5), 32, j)),
        svg("text", { x: 10, y: middle, class: "soft", transform: `rotate(-90 10 ${middle})` }, words.queries),
      ];
      if (cached) picture.push(line(left + 2, 17, left + side * cached - 3, 17, "mark"), text(left + 2, 11, words.cached, "start soft"));
      sees.forEach((keys, i) => {
        const y = top + side * i;
        picture.push(text(left - 10, y + side / 2 + 4, offset + i, "end"));
        keys.forEach((seen, j) => {
          const x = left + side * j, own = j === offset + i;
          picture.push(box(x + 1, y + 1, side - 2, side - 2, seen ? "p6" : "off"));
          if (own) picture.push(box(x + 3.5, y + 3.5, side - 7, side - 7, seen ? "own over" : "own"));
        });
      });
      const span = (keys) => {
        const some = range(s).filter((j) => keys[j]);
        return some.length > 1 ? `${some[0]}–${some.at(-1)}` : some.length ? String(some[0]) : words.none;
      };
      const dead = sees.filter((keys) => !keys.includes(true)).length, seen = sum(sees.flat().map(Number));
      const says = { seen: plain(seen), all: plain(t * s), first: span(sees[0]), last: span(sees.at(-1)), dead: plain(dead) };
      const table = [[words.query, words.sees], ...sees.map((keys, i) => [offset + i, span(keys)])];
      return { height: top + side * t + 4, picture, says, table };
    },

    rope({ m, n, both, pair, base }, words, data, width) {
      const pairs = data.pairs[0], speeds = range(pairs).map((i) => base ** (-i / pairs)), speed = speeds[pair], far = m - n;
      const query = (m + both) * speed, key = (n + both) * speed, turn = Math.atan2(Math.sin(query - key), Math.cos(query - key));
      const alone = (distance) => Math.cos(distance * speed), all = (distance) => sum(speeds.map((one) => Math.cos(distance * one)));
      const RADIUS = width < 330 ? 70 : 84, X = RADIUS + 12, Y = 98, on = (angle, r = RADIUS) => [X + r * Math.cos(angle), Y - r * Math.sin(angle)];
      const dot = ([cx, cy], r, kind) => svg("circle", { cx, cy, r, class: kind });
      const arrow = (angle, kind) => [line(X, Y, ...on(angle), "arrow " + kind), dot(on(angle), 7, kind)];
      const note = (i, said, kind) => [dot([2 * X + 16, 76 + 26 * i], 6, kind), text(2 * X + 30, 80 + 26 * i, said, "start")];
      const picture = [
        dot([X, Y], RADIUS, "axis"), line(X - RADIUS - 6, Y, X + RADIUS + 6, Y), line(X, Y - RADIUS - 6, X, Y + RADIUS + 6),
        path([[X, Y], ...range(41).map((i) => on(key + (turn * i) / 40, 34)), [X, Y]], "wedge"),
        ...arrow(key, "n6"), ...arrow(query, "p6"),
        ...note(0, `${words.query} ${plain(m + both)}`, "p6"), ...note(1, `${words.key} ${plain(n + both)}`, "n6"),
        ...note(2, `${words.angle} ${number(turn, 2)}`, "p2"),
      ];
      const REACH = 40, FOOT = 262, up = (part) => FOOT - 44 * part, along = (distance) => (width * (distance + REACH)) / (2 * REACH);
      const curve = (score, kind) => path(range(321).map((i) => [along(i / 4 - REACH), up(score(i / 4 - REACH))]), kind);
      picture.push(
        text(0, 208, words.pair, "start soft strong"), text(width, 208, words.all, "end soft"),
        line(0, FOOT, width, FOOT), line(along(0), up(1), along(0), up(-1)),
        curve((distance) => all(distance) / pairs, "faint"), curve(alone, "curve"), line(along(far), up(1), along(far), up(-1), "mark"),
        dot([along(far), up(all(far) / pairs)], 5, "p2 ring"), dot([along(far), up(alone(far))], 6, "p8 ring"),
        ...[-40, -20, 0, 20, 40].map((tick) => text(Math.max(12, Math.min(width - 12, along(tick))), 326, plain(tick))),
        text(width / 2, 344, words.distance, "soft"),
      );
      const point = (angle) => row([Math.cos(angle), Math.sin(angle)]);
      const says = { distance: plain(far), speed: number(speed, 6), query: point(query), key: point(key) };
      return { height: 350, picture, says: { ...says, pair: number(alone(far)), all: number(all(far)) } };
    },

    heads({ heads, kv, head, dim, tokens }, words, data, width) {
      const each = heads / kv, reads = Math.floor(head / each), bytes = (count) => 2 * count * dim * data.bytes[0];
      const TOP = 40, LOW = 148, at = (i, count) => (width * (i + 0.5)) / count, r = Math.min(15, width / heads / 2 - 1.5), half = Math.max(r, 8);
      const kind = (group, chosen) => (group % 2 ? "n6" : "p6") + (chosen ? " chosen" : ""), ink = r < 10 ? "over small" : "over";
      const picture = [text(0, 12, words.queries, "start soft"), text(0, LOW + 38, words.shared, "start soft")];
      for (const i of range(heads))
        picture.push(line(at(i, heads), TOP, at(Math.floor(i / each), kv), LOW - 12, i === head ? "link chosen" : "link"));
      for (const i of range(heads)) {
        const circle = svg("circle", { cx: at(i, heads), cy: TOP, r, class: kind(Math.floor(i / each), i === head) });
        picture.push(circle, text(at(i, heads), TOP + 4, i, ink));
      }
      for (const i of range(kv)) picture.push(box(at(i, kv) - half, LOW - 12, 2 * half, 26, kind(i, i === reads)), text(at(i, kv), LOW + 5, i, ink));
      picture.push(
        text(0, 222, words.cache, "start soft"), text((width * kv) / heads, 262, `${plain((100 * kv) / heads)} %`, kv === heads ? "end strong" : "start strong"),
        box(0, 230, width, 16, "off", 5), box(0, 230, (width * kv) / heads, 16, "p6", 5),
      );
      const says = { head: plain(head), reads: plain(reads), each: plain(each), token: plain(bytes(kv)) };
      return { height: 268, picture, says: { ...says, total: plain(bytes(kv) * tokens), full: plain(bytes(heads) * tokens) } };
    },

    tiles({ block, step }, words, { scores, values }, width) {
      const count = scores.length, room = width / count, high = Math.max(...scores);
      const unit = 110 / (high - Math.min(0, ...scores)), foot = 38 + unit * high;
      const table = [[words.step, words.block, "m", words.factor, "l", "o", "o / l"]];
      let m = -Infinity, l = 0, o = 0, before = m, factor = 0;
      for (const i of range(step)) {
        const keys = range(count).slice(i * block, (i + 1) * block);
        [before, m] = [m, Math.max(m, ...keys.map((j) => scores[j]))];
        factor = Math.exp(before - m);
        l = factor * l + sum(keys.map((j) => Math.exp(scores[j] - m)));
        o = factor * o + sum(keys.map((j) => Math.exp(scores[j] - m) * values[j]));
        table.push([i + 1, `${keys[0]}–${keys.at(-1)}`, plain(m), number(factor), number(l), number(o), number(o / l)]);
      }
      const picture = [text(0, 12, words.scores, "start soft"), line(0, foot, width, foot), text(0, 192, words.values, "start soft")];
      scores.forEach((score, j) => {
        const part = Math.floor(j / block), kind = part >= step ? "p1 outline" : part === step - 1 ? "p6" : "p4";
        const y = foot - unit * Math.max(0, score);
        picture.push(box((j + 0.18) * room, y, room * 0.64, unit * Math.abs(score), kind));
        picture.push(text((j + 0.5) * room, y - 5, plain(score), "strong"), text((j + 0.5) * room, 166, plain(values[j])));
      });
      for (const i of range(Math.ceil(count / block)))
        picture.push(line(i * block * room + 4, 174, Math.min(count, (i + 1) * block) * room - 4, 174, i === step - 1 ? "mark thick" : "stem"));
      const level = (score, blocks, kind) => line(0, foot - unit * score, Math.min(count, blocks * block) * room, foot - unit * score, kind);
      if (step > 1 && before < m) picture.push(level(before, step - 1, "faint"));
      if (step) picture.push(level(m, step, "mark"), text(width, 12, `m = ${plain(m)}`, "end strong"));
      const whole = sum(softmax(scores).map((weight, j) => weight * values[j])), ratio = step ? number(o / l) : "–";
      const says = { m: plain(m), factor: number(factor), l: number(l), o: number(o), ratio, whole: number(whole) };
      return { height: 198, picture, says, table, open: true };
    },
  };

  const limits = {
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

  return { kinds, limits };
});
