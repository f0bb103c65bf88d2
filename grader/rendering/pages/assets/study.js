// A unit's page: editors on the learner's files, verdicts as they come, and what the buttons bring.
(() => {
  "use strict";
  const PAUSE = 120, UNFINISHED = 400, RETRY = 1500; // milliseconds: after what may be run, after half a line
  const MISSING = "missing"; // the revision of a file that is not there
  const words = JSON.parse(document.getElementById("words").textContent);
  const say = (key) => words[document.documentElement.dataset.lang][key];
  const sections = [...document.querySelectorAll("[data-exercise]")];
  const of = (id) => sections.find((section) => section.dataset.exercise === id);
  const away = document.getElementById("away");
  const part = (section, name) => section.querySelector(`[data-${name}]`);
  const stored = (key) => { try { return JSON.parse(localStorage.getItem(key)); } catch { return null; } };
  const store = (key, value) => { try { value === null ? localStorage.removeItem(key) : localStorage.setItem(key, JSON.stringify(value)); } catch { /* not allowed here */ } };

  // What our server answers; null while it is away.
  async function ask(path, method = "GET", body = undefined) {
    try {
      const answer = await fetch(path, { method, headers: body === undefined ? {} : { "Content-Type": "application/json" }, body: body === undefined ? undefined : JSON.stringify(body) });
      if (answer.status === 403) { document.getElementById("again").hidden = false; return null; }
      const told = answer.headers.get("Content-Type") === "application/json" ? await answer.json() : { html: "" };
      return { status: answer.status, ...told };
    } catch { return null; }
  }
  // HTML that our server made: whatever a stranger wrote is escaped there.
  function show(place, html) {
    place.innerHTML = place.shown = html;
    window.explore?.(place);
    window.questionWords(place);
  }

  // ---- editors: one a file, in the section of its first exercise on this page
  class FileEditor {
    constructor(section) {
      this.section = section;
      this.name = section.dataset.file;
      this.key = "grader-draft-" + this.name;
      this.place = part(section, "editor");
      this.revision = null;
      this.saving = null;
      this.dirty = false;
    }
    async open() {
      const found = await ask("/files/" + this.name);
      if (!found) { setTimeout(() => this.open(), RETRY); return; }
      this.shut = found.status !== 200;
      if (this.shut) { show(this.place, found.html); return; }
      const text = found.text.replaceAll("\r\n", "\n");
      this.revision = found.revision;
      this.view = await made(this.place, text, () => this.changed(), this.key);
      const draft = stored(this.key);
      if (draft && draft.text !== text) { // typed while the server was away
        this.view.replace(draft.text);
        this.revision = draft.revision;
        this.changed();
      } else store(this.key, null);
      showLines(this.section);
    }
    changed() {
      this.dirty = true;
      store(this.key, { text: this.view.text(), revision: this.revision });
      this.tell("typing");
      part(this.section, "note")?.replaceChildren();
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.save(), this.view.complete() ? PAUSE : UNFINISHED);
    }
    async save() {
      if (this.saving || this.conflict) return;
      const text = this.view.text();
      this.saving = ask("/files/" + this.name, "PUT", { text, revision: this.revision });
      const done = await this.saving;
      this.saving = null;
      if (!done) { this.tell("unsaved"); this.timer = setTimeout(() => this.save(), RETRY); return; }
      if (done.status === 409) { this.meet(done); return; }
      if (done.status !== 200) { show(part(this.section, "saved"), done.html); this.timer = setTimeout(() => this.save(), 4 * RETRY); return; }
      this.revision = done.revision;
      if (this.view.text() !== text) { this.timer = setTimeout(() => this.save(), PAUSE); return; }
      this.dirty = false;
      store(this.key, null);
      this.tell("saved");
    }
    // Save what was typed just now, for what is asked about the file next.
    async flush() {
      clearTimeout(this.timer);
      await this.saving;
      if (this.dirty) await this.save();
    }
    tell(key) { const place = part(this.section, "saved"); if (place) place.textContent = say(key); }
    // The file was changed by somebody else while there is text here that is not saved.
    meet(theirs) {
      this.conflict = theirs;
      const banner = part(this.section, "conflict");
      show(banner, theirs.html);
      banner.hidden = false;
    }
    async settle(mine) {
      const theirs = this.conflict, text = this.view.text();
      const kept = await ask("/kept/" + this.name, "POST", { text: mine ? theirs.text : text });
      if (!kept) { this.tell("unsaved"); return; }
      this.conflict = null;
      part(this.section, "conflict").hidden = true;
      this.revision = theirs.revision;
      if (mine) { await this.save(); return; }
      this.view.replace(theirs.text.replaceAll("\r\n", "\n"));
      this.dirty = false;
      store(this.key, null);
      clearTimeout(this.timer);
      this.tell("saved");
    }
    // The file may have changed: take it over, unless something here is not saved.
    async look() {
      if (this.shut) { await this.open(); return; }
      if (!this.view || this.saving || this.conflict) return;
      const found = await ask("/files/" + this.name);
      if (found && found.status !== 200) { show(part(this.section, "saved") ?? part(this.section, "verdict"), found.html); this.unread = true; return; }
      if (!found || (found.revision === this.revision && !this.unread)) return;
      if (this.dirty || this.saving) return; // saving will tell
      this.unread = false;
      this.revision = found.revision;
      if (found.revision === MISSING) { this.tell("deleted"); return; } // its last text stays here
      this.view.replace(found.text.replaceAll("\r\n", "\n"));
      this.dirty = false;
      clearTimeout(this.timer);
      store(this.key, null);
      this.tell("outside");
    }
  }

  let library = null;
  const editorLibrary = () => (library ??= import("/editor/index.js").catch(() => null));

  // An editor in this place; a plain field where the editor cannot be loaded.
  async function made(place, text, changed, key) {
    const cm = await editorLibrary();
    place.replaceChildren();
    const label = place.closest("section").querySelector("h2").id;
    if (!cm) return field(place, text, changed, label);
    const python = await cm.languages.find((one) => one.name === (key.endsWith(".yaml") ? "YAML" : "Python")).load();
    const lines = cm.StateEffect.define(), colours = new cm.Compartment();
    const said = cm.StateField.define({
      create: () => cm.Decoration.none,
      update(old, change) {
        for (const effect of change.effects) if (effect.is(lines)) return marks(cm, change.state, effect.value);
        return old.map(change.changes);
      },
      provide: (own) => cm.EditorView.decorations.from(own),
    });
    const pale = cm.defaultHighlightStyle.specs.flatMap((one) => one.tag).filter((tag) => ["atom", "bool"].includes(String(tag)));
    const legible = cm.Prec.highest(cm.syntaxHighlighting(cm.HighlightStyle.define(pale.map((tag) => ({ tag, color: "#a04100" })))));
    const style = () => (isDark() ? cm.themes.githubDark : [cm.themes.githubLight, legible]);
    const before = pastOf(key), options = { extensions: [
      cm.basicSetup, python, cm.EditorView.lineWrapping, cm.keymap.of([cm.indentWithTab]), cm.indentUnit.of("    "), said, colours.of(style()),
      cm.EditorView.contentAttributes.of({ "aria-labelledby": label, tabindex: "0" }),
      cm.EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        remember(key, update.state.toJSON({ past: cm.historyField }));
        if (!update.transactions.some((one) => one.annotation(cm.Transaction.remote))) changed();
      }),
    ] };
    const state = before?.doc === text ? cm.EditorState.fromJSON(before, options, { past: cm.historyField }) : cm.EditorState.create({ doc: text, ...options });
    const view = new cm.EditorView({ state, parent: place });
    if (place.closest("section").querySelector(".statement")) fold(cm, view); // what is asked stands above
    const recolour = () => view.dispatch({ effects: colours.reconfigure(style()) });
    document.addEventListener("set-theme", recolour);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
    return {
      text: () => view.state.doc.toString(),
      complete() {
        let whole = true;
        cm.ensureSyntaxTree(view.state, view.state.doc.length, 50)?.iterate({ enter({ type }) { whole &&= !type.isError; return whole; } });
        return whole;
      },
      mark: (found) => view.dispatch({ effects: lines.of(found) }),
      go(line) {
        const at = view.state.doc.line(Math.min(line, view.state.doc.lines));
        view.dispatch({ selection: { anchor: at.from }, effects: cm.EditorView.scrollIntoView(at.from, { y: "center" }) });
        view.focus();
      },
      replace(now) {
        const old = view.state.doc.toString();
        let start = 0, end = 0; // what both have in common stays, and with it the cursor
        while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++;
        while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end++;
        view.dispatch({ changes: { from: start, to: old.length - end, insert: now.slice(start, now.length - end) }, annotations: cm.Transaction.remote.of(true) });
      },
    };
  }
  const isDark = () => { const theme = document.documentElement.dataset.theme; return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches; };
  const pastOf = (key) => { try { return JSON.parse(sessionStorage.getItem(key)); } catch { return null; } };
  const remember = (key, state) => { try { sessionStorage.setItem(key, JSON.stringify(state)); } catch { /* full, or not allowed */ } };

  // Fold what the docstrings say below their first lines.
  function fold(cm, view) {
    const found = [], doc = view.state.doc;
    cm.ensureSyntaxTree(view.state, doc.length, 500)?.iterate({ enter({ node }) {
      const inside = node.name === "String" && node.parent?.name === "ExpressionStatement", line = doc.lineAt(node.from);
      if (inside && line.to < node.to && [null, ":", "Comment"].includes(node.parent.prevSibling?.name ?? null)) found.push(cm.foldEffect.of({ from: line.to, to: node.to }));
    } });
    view.dispatch({ effects: found });
  }
  function marks(cm, state, found) {
    class Said extends cm.WidgetType {
      constructor(text) { super(); this.text = text; }
      eq(other) { return other.text === this.text; }
      toDOM() { const box = document.createElement("div"); box.className = "said"; box.textContent = this.text; return box; }
    }
    const there = found.filter(({ line }) => line <= state.doc.lines).sort((a, b) => a.line - b.line);
    return cm.Decoration.set(there.flatMap(({ line, text }) => {
      const at = state.doc.line(line);
      return [cm.Decoration.line({ class: "wrong-line" }).range(at.from), cm.Decoration.widget({ widget: new Said(text), block: true, side: 1 }).range(at.to)];
    }), true);
  }
  function field(place, text, changed, label) {
    const area = document.createElement("textarea");
    Object.assign(area, { value: text, spellcheck: false });
    area.setAttribute("aria-labelledby", label);
    area.addEventListener("input", changed);
    place.append(area);
    return { text: () => area.value, complete: () => true, mark() {}, go() { area.focus(); }, replace(now) { area.value = now; } };
  }

  const editors = new Map();
  for (const section of sections) {
    if (editors.has(section.dataset.file)) continue;
    const editor = new FileEditor(section);
    editors.set(editor.name, editor);
    if (section.dataset.kind !== "questions") editor.open();
    else section.querySelector("details").addEventListener("toggle", () => editor.view || editor.open(), { once: true });
  }

  // ---- verdicts
  const found = new Map();
  async function verdict(section, again = false) {
    const id = section.dataset.exercise, answer = await ask("/verdict/" + id);
    if (!answer?.state) return;
    found.set(id, answer);
    const place = part(section, "verdict");
    if (!again || place.shown !== answer.html) show(place, answer.html); // what was unfolded stays so
    place.classList.remove("old");
    show(part(section, "pill"), answer.status_html);
    part(section, "pill").className = "pill " + answer.state;
    part(section, "score").textContent = answer.score;
    const sign = document.querySelector(`[data-sign="${id}"]`);
    if (sign) sign.className = "sign " + answer.state;
    const solution = section.querySelector('[data-do="solution"]');
    if (solution && answer.passed) solution.hidden = false;
    for (const form of section.querySelectorAll("form.question")) {
      const html = answer.questions[form.dataset.question];
      if (!("changed" in form.dataset) && (html || resultOf(form).querySelector(".verdict"))) show(resultOf(form), html ?? "");
    }
    showLines(section);
  }
  function showLines(section) {
    const editor = editors.get(section.dataset.file), answer = found.get(section.dataset.exercise);
    if (answer && editor?.view && section.dataset.kind !== "questions")
      editor.view.mark(answer.lines.map(({ line, said }) => ({ line, text: said[document.documentElement.dataset.lang] })));
  }
  function busy(id) {
    for (const section of sections) {
      const line = part(section, "busy");
      if (line) line.hidden = section.dataset.exercise !== id;
      if (section.dataset.exercise === id) part(section, "verdict").classList.add("old");
    }
  }
  document.addEventListener("set-lang", () => sections.forEach(showLines));

  // A browser opens six connections to a server, for all its pages together: those that nobody sees keep none.
  let events = null, opened = false;
  function listen() {
    events?.close();
    if (document.hidden) return;
    events = new EventSource("/events");
    events.onopen = () => {
      away.hidden = true;
      ask("/check", "POST", { ids: sections.map((section) => section.dataset.exercise) });
      sections.forEach((section) => verdict(section, opened));
      if (opened) sections.filter((section) => section.dataset.kind === "questions").forEach(refill);
      opened = true;
      for (const editor of editors.values()) editor.dirty ? editor.save() : editor.look();
    };
    events.onerror = () => {
      away.hidden = false;
      if (events.readyState === EventSource.CLOSED) setTimeout(listen, RETRY);
    };
    events.onmessage = ({ data }) => {
      const told = JSON.parse(data), section = of(told.id);
      if (told.kind === "busy") busy(told.id);
      else if (told.kind === "verdict" && section) verdict(section);
      else if (told.kind === "note" && section) { const note = part(section, "note") ?? part(section, "verdict"); show(note, told.html); }
      else if (told.kind === "file") {
        told.names.forEach((name) => editors.get(name)?.look());
        if (!told.own) sections.filter((one) => one.dataset.kind === "questions" && told.names.includes(one.dataset.file)).forEach(refill);
      }
      else if (told.kind === "again") location.reload();
    };
  }
  if (sections.length) {
    listen();
    document.addEventListener("visibilitychange", listen);
  }

  // ---- which part of the page is read, in the list of its parts
  const links = new Map([...document.querySelectorAll(".contents a")].map((link) => [document.getElementById(link.hash.slice(1)), link]));
  const seen = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) {
      if (isIntersecting) links.get(target).setAttribute("aria-current", "true");
      else links.get(target).removeAttribute("aria-current");
    }
    const first = document.querySelector(".contents [aria-current]"), list = first?.closest("ul");
    if (list) list.scrollLeft = first.offsetLeft - list.offsetLeft - 16;
  }, { rootMargin: "-25% 0px -65% 0px" });
  for (const target of links.keys()) seen.observe(target);

  // ---- lessons and questions come when they are made
  for (const place of document.querySelectorAll("[data-fetch]")) fetched(place, place.dataset.fetch);
  async function fetched(place, path) {
    const answer = await ask(path);
    if (!answer) { setTimeout(() => fetched(place, path), RETRY); return; }
    show(place, answer.html);
    const section = place.closest("[data-exercise]");
    if (section) verdict(section);
    const aim = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1).split(";")[0]));
    if (aim && !moved) aim.scrollIntoView();
  }
  // The sheet was changed by hand; a form that is being filled in stays as it is.
  async function refill(section) {
    const place = part(section, "fetch"), answer = await ask(place.dataset.fetch), fresh = document.createElement("div");
    if (!answer) return;
    show(fresh, answer.html);
    const forms = [...fresh.querySelectorAll("form.question")], old = forms.map((form) => document.getElementById(form.id));
    if (!forms.length || old.includes(null)) show(place, answer.html);
    else old.forEach((form, i) => form.contains(document.activeElement) || form.replaceWith(forms[i]));
    verdict(section);
  }
  let moved = false; // once somebody scrolls, what arrives late leaves the page where it is
  for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"]) addEventListener(kind, () => { moved = true; }, { once: true, passive: true });

  // ---- buttons
  const brings = { hint: "POST", solution: "GET", debug: "GET", steps: "GET" };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button, a[data-line]"), section = button?.closest("[data-exercise]");
    if (!button || !section) return;
    const what = button.dataset.do, id = section.dataset.exercise, editor = editors.get(section.dataset.file);
    if (button.dataset.line) { event.preventDefault(); editor.view?.go(Number(button.dataset.line)); }
    else if (button.dataset.copy) { await navigator.clipboard.writeText(button.dataset.copy); button.textContent = say("copied"); }
    else if (what === "mine" || what === "theirs") editor.settle(what === "mine");
    else if (what === "check") ask("/check", "POST", { ids: [id], again: true });
    else if (what === "reset") { if (confirm(say("ask_reset"))) { await editor.flush(); ask("/reset/" + id, "POST", {}); } }
    else if (brings[what]) {
      button.disabled = true;
      await editor.flush();
      const answer = await ask(`/${what}/${id}` + (button.dataset.check ? "?check=" + encodeURIComponent(button.dataset.check) : ""), brings[what], brings[what] === "POST" ? {} : undefined);
      button.disabled = false;
      if (!answer) return;
      show(part(section, "more"), answer.html);
      part(section, "more").scrollIntoView({ block: "nearest" });
    }
  });

  // ---- answers to questions: what is filled in goes to the sheet, and is judged once it is handed in
  const resultOf = (form) => form.querySelector(".result");
  for (const kind of ["input", "change"]) document.addEventListener(kind, (event) => {
    const form = event.target.closest("form.question");
    if (!form) return;
    form.dataset.changed = "";
    resultOf(form).replaceChildren();
    if (kind === "change" && !("again" in form.dataset)) answered(form, false);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form.question");
    if (!form) return;
    event.preventDefault();
    const empty = window.questionGap(form);
    if (empty) { resultOf(form).textContent = say("fill_in"); empty.focus(); return; }
    delete form.dataset.changed;
    answered(form, true);
  });
  const pending = new Set(); // forms whose answers the server has not taken
  addEventListener("beforeunload", (event) => { if (pending.size) event.preventDefault(); });
  let before = Promise.resolve(); // one answer after the other, so that none overtakes a later one
  function answered(form, handed_in) {
    before = before.then(() => put(form, handed_in));
  }
  async function put(form, handed_in) {
    const { section, question } = form.dataset, again = "again" in form.dataset;
    const answer = await ask(`/${again ? "again" : "answer"}/${section}/${question}`, "POST", { value: window.questionValue(form), handed_in });
    answer ? pending.delete(form) : pending.add(form);
    if (answer && (again || answer.status !== 200)) show(resultOf(form), answer.html);
    else if (!answer) { resultOf(form).textContent = say("unsaved"); setTimeout(() => answered(form, handed_in), RETRY); }
    else if (handed_in) resultOf(form).textContent = say("checking");
  }
})();
