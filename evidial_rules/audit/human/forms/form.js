"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const words = data.words, items = data.items;
const $ = (id) => document.getElementById(id);
const storeKey = "evidial " + data.study + " " + data.annotator + " " + data.round;
const about = { form: 1, study: data.study, annotator: data.annotator, round: data.round };
const fresh = new Set();  // items whose answer was changed here and is not stored yet
let answers = {}, at = 0, pending = null, storage = true, unsaved = false;

const el = (name, attributes, ...children) => {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key === "class") node.className = value; else node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
};
const answerOf = (item) => answers[item.item] || (answers[item.item] = { state: null, polarity: null, quotes: [] });
const complete = (one) => Boolean(one && one.state && (one.state !== "SUFFICIENT" || one.polarity));
const done = () => items.filter((item) => complete(answers[item.item])).length;
// Offsets in files are code points; those of the browser are UTF-16 units.
const points = (text) => Array.from(text).length;

const ours = (found) => Boolean(found) && Object.entries(about).every(([key, value]) => found[key] === value);
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const inOrder = (a, b) => a.turn - b.turn || a.start - b.start || a.end - b.end;

function checked(item, one) {
  // An answer in the form's own shape, or null for anything that is not one.
  if (!one || typeof one !== "object") return null;
  const { state = null, polarity = null, quotes = [] } = one, turns = data.texts[item.text];
  const among = (value, known) => typeof value === "string" && Object.hasOwn(known, value);
  if (state !== null && !among(state, words.states)) return null;
  if (polarity !== null && (state !== "SUFFICIENT" || !among(polarity, words.polarities))) return null;
  if (!Array.isArray(quotes)) return null;
  const whole = [];
  for (const q of quotes) {
    if (!q || ![q.turn, q.start, q.end].every(Number.isInteger) || q.start < 0 || !turns[q.turn] || !q.quote ||
        Array.from(turns[q.turn][1]).slice(q.start, q.end).join("") !== q.quote) return null;
    whole.push({ turn: q.turn, start: q.start, end: q.end, quote: q.quote });
  }
  return { state, polarity, quotes: whole.sort(inOrder) };
}

// -- Keeping -------------------------------------------------------------------------------------------------------
function stored() {
  const text = localStorage.getItem(storeKey);
  try {
    const found = JSON.parse(text);
    return ours(found) && found.drafts && typeof found.drafts === "object" ? found : null;
  } catch {
    return null;
  }
}

function merge(found) {
  // Another tab may have written since this one last looked: what is stored holds, item by item, but for what was
  // changed here just now. Returns the items that are another answer now.
  return !found ? [] : items.filter((item) => {
    const one = Object.hasOwn(found.drafts, item.item) ? checked(item, found.drafts[item.item]) : null;
    if (!one || fresh.has(item.item) || same(one, answers[item.item])) return false;
    answers[item.item] = one;
    return true;
  });
}

function keep(...changed) {
  for (const item of changed) fresh.add(item.item);
  unsaved = unsaved || changed.length > 0;
  try {
    merge(stored());
    // What has quotes and no state yet is kept as well: it goes on where it stopped.
    localStorage.setItem(storeKey, JSON.stringify({ ...about, at: items[at].item, drafts: answers }));
    if (localStorage.getItem(storeKey) === null) throw new Error();
    fresh.clear();
    storage = true;
  } catch {
    storage = false;
  }
  $("kept").textContent = storage ? words.kept : "";
  $("notice").hidden = storage;
  $("notice").textContent = storage ? "" : words.lost;
}

function catchUp() {
  // Nothing is written here: two tabs that answer each other's writes would never end.
  let found = [];
  try { found = merge(stored()); } catch { /* the notice says that nothing is kept */ }
  if (found.includes(items[at])) { drawTurns(items[at]); drawAnswer(); }
  if (found.length) drawProgress();
}

function take(found) {
  // The answers of a file: all of them or, where one is not of this form, none.
  if (!ours(found) || !Array.isArray(found.answers)) return false;
  const given = new Map();
  for (const one of found.answers) {
    const item = one && items.find((other) => other.item === one.item), whole = item && checked(item, one);
    if (!whole || given.has(item)) return false;
    given.set(item, whole);
  }
  catchUp();
  const here = (item) => answers[item.item] && (answers[item.item].state || answers[item.item].quotes.length);
  const other = [...given].filter(([item, one]) => here(item) && !same(one, answers[item.item]));
  if (other.length && !confirm(words.load_differs.replace("{n}", other.length))) other.forEach(([item]) => given.delete(item));
  given.forEach((one, item) => { answers[item.item] = one; });
  keep(...given.keys());
  return true;
}

function list(title, lines) {
  return lines.length ? [el("p", {}, title), el("ul", {}, ...lines.map((line) => el("li", {}, line)))] : [];
}

function drawQuestion(item) {
  $("question").replaceChildren(
    el("p", {}, el("strong", {}, item.dimension)), el("p", {}, item.window), el("p", {}, item.today),
    ...list(words.components, item.components), ...list(words.others, item.others), ...list(words.notes, item.notes));
  $("given").replaceChildren();
  if (!item.answers.length) return;
  $("given").append(el("h2", {}, words.answers_title), el("p", {}, words.answers_intro));
  item.answers.forEach(([state, side, quotes], number) => {
    const said = words.states[state].label + (side ? ": " + words.polarities[side].label : "");
    $("given").append(el("div", { class: "given" }, el("p", {}, el("strong", {}, words.answer + " " + (number + 1) + ": " + said)),
      ...(quotes.length ? quotes.map((quote) => el("p", { lang: item.language }, el("q", {}, quote)))
        : [el("p", { class: "dim" }, words.no_words)])));
  });
}

function drawTurns(item) {
  const quotes = answerOf(item).quotes;
  $("turns").replaceChildren(...data.texts[item.text].map(([who, text], number) => {
    const body = el("div", { class: "text", lang: item.language });
    const letters = Array.from(text);
    const marked = new Array(letters.length).fill(false);
    for (const one of quotes) if (one.turn === number) marked.fill(true, one.start, one.end);
    for (let i = 0; i < letters.length;) {
      let j = i;
      while (j < letters.length && marked[j] === marked[i]) j++;
      const part = letters.slice(i, j).join("");
      body.append(marked[i] ? el("mark", {}, part) : part);
      i = j;
    }
    const turn = el("div", { class: "turn", tabindex: "0", role: "group", "data-turn": number,
      "aria-label": words.turn + " " + number + ", " + who + ": " + text },
      el("span", { class: "n" }, String(number)), el("span", { class: "who" }, who), body);
    turn.addEventListener("keydown", (event) => turnKey(event, number, body));
    return turn;
  }));
}

// -- Choosing words ------------------------------------------------------------------------------------------------
let chosen = null;  // by keyboard: {turn, from, to}, places among the words of the turn

function wordsOf(text, language) {
  if (window.Intl && Intl.Segmenter) {
    return [...new Intl.Segmenter(language, { granularity: "word" }).segment(text)].filter((one) => one.segment.trim())
      .map((one) => [one.index, one.index + one.segment.length]);
  }
  return [...text.matchAll(/[\p{L}\p{N}'’]+|[^\s]/gu)].map((one) => [one.index, one.index + one[0].length]);
}

function placeIn(body, offset) {
  // The text node and the place in it that a UTF-16 offset of the turn falls on.
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  let node = walker.nextNode(), last = node;
  while (node && offset > node.length) { offset -= node.length; last = node; node = walker.nextNode(); }
  return node ? [node, offset] : [last, last ? last.length : 0];
}

function turnKey(event, number, body) {
  if (event.target !== event.currentTarget || event.ctrlKey || event.altKey || event.metaKey) return;
  const text = data.texts[items[at].text][number][1];
  const spans = wordsOf(text, items[at].language);
  if ((event.key === "ArrowRight" || event.key === "ArrowLeft") && spans.length) {
    event.preventDefault();
    const step = event.key === "ArrowRight" ? 1 : -1, top = spans.length - 1;
    if (!chosen || chosen.turn !== number) {
      const place = step > 0 ? 0 : top;
      chosen = { turn: number, from: place, to: place };
    } else if (event.shiftKey) {
      chosen.to = Math.min(top, Math.max(chosen.from, chosen.to + step));
    } else {
      chosen.from = chosen.to = Math.min(top, Math.max(0, (step > 0 ? chosen.to : chosen.from) + step));
    }
    getSelection().setBaseAndExtent(...placeIn(body, spans[chosen.from][0]), ...placeIn(body, spans[chosen.to][1]));
  } else if (event.key === "Enter") {
    event.preventDefault();
    readSelection();
    if (pending && pending.turn === number) addQuote(pending);
    else if (text.trim()) addQuote({ turn: number, start: 0, end: points(text), quote: text });
    const again = document.querySelector(`.turn[data-turn="${number}"]`);
    if (again) again.focus();
  }
}

function readSelection() {
  const selection = getSelection();
  pending = null;
  if (selection.rangeCount && !selection.isCollapsed) {
    const range = selection.getRangeAt(0);
    // A selection over several turns counts for the one that it starts in.
    const home = (range.startContainer.nodeType === 1 ? range.startContainer : range.startContainer.parentElement);
    const turn = home && home.closest(".turn"), body = turn && turn.querySelector(".text");
    if (body) {
      const before = document.createRange(), inside = document.createRange();
      before.selectNodeContents(body);
      inside.selectNodeContents(body);
      if (inside.comparePoint(range.startContainer, range.startOffset) === 0) {
        before.setEnd(range.startContainer, range.startOffset);
        inside.setStart(range.startContainer, range.startOffset);
      } else before.collapse(true);
      if (body.contains(range.endContainer)) inside.setEnd(range.endContainer, range.endOffset);
      const raw = inside.toString(), quote = raw.trim();
      if (quote) {
        const start = points(before.toString()) + points(raw.slice(0, raw.indexOf(quote)));
        pending = { turn: Number(turn.dataset.turn), start, end: start + points(quote), quote };
      }
    }
  }
  $("add").disabled = pending === null;
}

function addQuote(quote) {
  const quotes = answerOf(items[at]).quotes;
  if (!quotes.some((one) => one.turn === quote.turn && one.start === quote.start && one.end === quote.end)) {
    quotes.push(quote);
    quotes.sort(inOrder);
  }
  getSelection().removeAllRanges();
  pending = chosen = null;
  changed();
  drawTurns(items[at]);
}

function drawQuotes(item) {
  const quotes = answerOf(item).quotes;
  $("quotes").replaceChildren(...quotes.map((one, number) => {
    const remove = el("button", { type: "button", "aria-label": words.remove + ": " + one.quote }, words.remove);
    remove.addEventListener("click", () => { quotes.splice(number, 1); changed(); drawTurns(item); $("h-quotes").focus(); });
    return el("li", {}, el("q", { lang: item.language }, one.quote), " ",
      el("small", {}, "(" + words.turn + " " + one.turn + ")"), remove);
  }));
  if (!quotes.length) $("quotes").replaceChildren(el("p", { class: "dim" }, words.no_quotes));
}

// -- The answer ----------------------------------------------------------------------------------------------------
function radios(box, name, legend, choices) {
  box.querySelector("legend").textContent = legend;
  for (const [value, choice] of Object.entries(choices)) {
    const input = el("input", { type: "radio", name, value });
    input.addEventListener("change", () => {
      const one = answerOf(items[at]);
      one[name] = value;
      if (one.state !== "SUFFICIENT") one.polarity = null;
      changed();
    });
    box.append(el("label", { class: "choice" }, input, el("span", {}, choice.label, el("small", {}, choice.help))));
  }
}

function drawAnswer() {
  const one = answerOf(items[at]);
  for (const name of ["state", "polarity"]) {
    for (const input of document.getElementsByName(name)) input.checked = input.value === one[name];
  }
  $("polarity").disabled = one.state !== "SUFFICIENT";
  $("need").textContent = one.state === "SUFFICIENT" && !one.polarity ? words.need_side : done() === items.length ? words.done : "";
  drawQuotes(items[at]);
}

function drawProgress() {
  const count = done();
  $("place").textContent = words.item + " " + (at + 1) + " " + words.of + " " + items.length;
  $("count").textContent = words.answered + " " + count + " " + words.of + " " + items.length;
  $("progress").max = items.length;
  $("progress").value = count;
  $("progress").setAttribute("aria-label", $("count").textContent);
  items.forEach((item, number) => {
    $("go").options[number].textContent = (number + 1) + " – " + (complete(answers[item.item]) ? words.is_done : words.is_open);
  });
  $("go").value = String(at);
  $("previous").disabled = at === 0;
  $("next").disabled = at === items.length - 1;
  $("open").disabled = count === items.length;
}

function changed() {
  keep(items[at]);
  drawAnswer();
  drawProgress();
}

function show(place) {
  at = Math.min(items.length - 1, Math.max(0, place));
  keep();
  pending = chosen = null;
  $("add").disabled = true;
  drawQuestion(items[at]);
  drawTurns(items[at]);
  drawAnswer();
  drawProgress();
  scrollTo(0, $("place").closest("header").offsetTop);
}

for (const [id, text] of Object.entries({ golabel: words.go, "h-question": words.question_title, "h-dialogue": words.dialogue,
  "turns-help": words.turns_help, "h-quotes": words.quotes, add: words.add, previous: words.previous, next: words.next,
  open: words.next_open, download: words.download, loadlabel: words.load })) $(id).textContent = text;
$("h-quotes").tabIndex = -1;
radios($("state"), "state", words.state_legend, words.states);
radios($("polarity"), "polarity", words.polarity_legend, words.polarities);
items.forEach((item, number) => $("go").append(el("option", { value: number })));
document.addEventListener("selectionchange", readSelection);
// A button takes no focus from a selection that is to be added.
$("add").addEventListener("pointerdown", (event) => event.preventDefault());
$("add").addEventListener("click", () => pending && addQuote(pending));
$("previous").addEventListener("click", () => show(at - 1));
$("next").addEventListener("click", () => show(at + 1));
$("open").addEventListener("click", () => {
  for (let step = 1; step <= items.length; step++) {
    const place = (at + step) % items.length;
    if (!complete(answers[items[place].item])) return show(place);
  }
});
$("go").addEventListener("change", () => show(Number($("go").value)));
$("download").addEventListener("click", () => {
  catchUp();
  const whole = { ...about, answers: items.filter((item) => complete(answers[item.item])).map((item) => (
    { item: item.item, ...answers[item.item] })) };
  const address = URL.createObjectURL(new Blob([JSON.stringify(whole, null, 1) + "\n"], { type: "application/json" }));
  const link = el("a", { href: address, download: data.annotator + (data.round > 1 ? ".round" + data.round : "") + ".json" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
  unsaved = false;
});
$("load").addEventListener("change", async () => {
  let good = false;
  try { good = take(JSON.parse(await $("load").files[0].text())); } catch { /* told below */ }
  $("load").value = "";
  show(at);
  if (!good) { $("notice").hidden = false; $("notice").textContent = words.bad_file; }
});
addEventListener("beforeunload", (event) => { if (!storage && unsaved && done()) event.preventDefault(); });
addEventListener("storage", (event) => { if (event.key === storeKey) catchUp(); });
addEventListener("pageshow", (event) => { if (event.persisted) catchUp(); });
try {
  const found = stored();
  merge(found);
  at = Math.max(0, items.findIndex((item) => found && item.item === found.at));
} catch { /* told by keep */ }
$("rules").open = done() === 0;
show(at);
