// The study page: a tree of moves to go through, to add to, and to let the engine think about.

import { dark, theme } from "./board.js";
import { Engine, percent, weigh } from "./engine.js";
import { Graph } from "./graph.js";
import { Pointing, tryOut } from "./pointing.js";
import { api, keepSecrets, remember, secretsOf } from "./seats.js";
import { Tree, write } from "./tree.js";

const $ = (id) => document.getElementById(id);
const box = $("board");
const SAVING = 500; // milliseconds from a change until it is sent
const LONGEST_PAUSE = 60_000; // milliseconds until what was refused is sent again
const MOST_KNOWN = 200; // positions

let study = JSON.parse($("document").textContent);
let tree = new Tree(study.line);
let here = tree.root; // the node that is looked at
let shown = null; // what the server says about it, once it has
let buttons = new Map();
let thinking = false;
const known = new Map(); // positions that were looked at, by their moves

const board = new Pointing(box, {
  preview: (path, signal) => tryOut("/preview", { ...course(here), path }, signal),
  play: ({ move }) => play(move),
  speak: (text) => {
    $("spoken").textContent = text;
  },
  choices: $("choices"),
});
const engine = new Engine(hear, (words) => {
  if (thinking || $("review").disabled) say(words);
  $("progress").hidden = true;
  $("review").disabled = false;
  switchEngine(false);
});
const graph = new Graph($("graph"), (ply) => go(ply ? tree.mainLine()[ply - 1] ?? here : tree.root));

function say(text) {
  $("message").textContent = text;
}

// --- where we are

function course(node) {
  const { game, options, start } = study;
  return { game, options, start, moves: tree.moves(node), theme: theme() };
}

async function go(node) {
  here = node;
  shown = null;
  board.clear();
  renderHere();
  const asked = course(node);
  const key = JSON.stringify([asked.theme, asked.moves]);
  const found = known.get(key) ?? (await tryOut("", asked).catch(() => null));
  if (here !== node) return;
  if (!found) return void say("The server cannot be reached. Nothing is lost; try again in a moment.");
  if (known.size > MOST_KNOWN) known.clear();
  known.set(key, found);
  shown = found;
  $("words").textContent = found.words;
  $("position").value = found.position;
  board.offer({ legal: found.legal, directions: found.directions, seats: study.seats, mine: found.to_move !== null });
  board.rest(found.svg, found.moves.at(-1)?.path);
  linkBoard();
  think();
}

function renderHere() {
  for (const [node, button] of buttons) {
    if (node === here) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
  if (buttons.has(here)) reveal(buttons.get(here));
  if (document.activeElement !== $("remark")) $("remark").value = here.comments.join("\n\n");
  $("promote").hidden = !tree.start(here);
  $("remove").hidden = !here.parent;
  const main = tree.mainLine();
  graph.point(here === tree.root ? 0 : main.includes(here) ? main.indexOf(here) + 1 : null);
}

/** Scroll the moves, and nothing else, until one is seen. */
function reveal(button) {
  const list = $("tree");
  const [top, bottom] = [button.offsetTop, button.offsetTop + button.offsetHeight];
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}

function renderTree() {
  const marks = new Map();
  const main = tree.mainLine();
  for (const [i, ply] of reviewed().entries()) if (ply.mark) marks.set(main[i], ply.mark);
  buttons = write($("tree"), tree, marks, go);
  renderReview();
  renderHere();
}

// --- changing it

async function play(move) {
  if (!shown) return; // it was meant for another position
  const size = here.children.length;
  const node = tree.add(here, { move, seat: shown.to_move });
  if (here.children.length > size) changed();
  await go(node);
}

let saving = null;
let pause = SAVING;
let edits = 0; // how many changes there were
let kept = 0; // and how many of them the server has

/** Something is different now: it is sent a little later, together with what follows. */
function changed() {
  renderTree();
  clearTimeout(saving);
  if (study.id && !study.yours) {
    $("keep").hidden = false;
    $("kept").textContent = "Not kept: this is somebody else's study.";
    return;
  }
  edits += 1;
  $("kept").textContent = "…";
  saving = setTimeout(save, SAVING);
}

let sending = Promise.resolve();
let unanswered = null; // what was sent last, if nobody knows whether it arrived

/** Send what has changed; one after the other. */
function save() {
  clearTimeout(saving);
  saving = null;
  sending = sending.then(() => (study.id ? send() : keep()));
  return sending;
}

async function send() {
  const sent = edits;
  const body = { version: study.version, title: $("title").value, line: tree.toLine() };
  const answer = await api(`/api/studies/${study.id}`, study.id, body, "PUT");
  if (answer.study && isOurs(answer.study)) {
    unanswered = null;
    study.version = answer.study.version;
    return send();
  }
  unanswered = answer.error && !answer.study ? body : null;
  if (answer.study) {
    $("kept").textContent = "Not kept.";
    $("conflict").hidden = false;
    study = { ...study, theirs: answer.study };
  } else if (answer.error) sendLater(answer.error);
  else {
    study.version = answer.version;
    kept = sent;
    if (pause > SAVING) say(""); // what could not be sent has been
    pause = SAVING;
    if (kept === edits) $("kept").textContent = "Kept.";
  }
}

/** Whether the server has what we sent before, and only its answer was lost. */
function isOurs({ version, title, line }) {
  return (
    unanswered?.version === version - 1 &&
    unanswered.title.trim() === title &&
    JSON.stringify(unanswered.line) === JSON.stringify(new Tree(line).toLine())
  );
}

/** What could not be kept is not given up. */
function sendLater(error) {
  say(error);
  $("kept").textContent = "Not kept.";
  pause = Math.min(2 * pause, LONGEST_PAUSE);
  saving ??= setTimeout(save, pause);
}

/** Make it a study of one's own: what it was made from, and then what is different. */
async function keep() {
  const made = await api("/api/studies", "", { ...study.origin, title: $("title").value });
  if (made.error) {
    if (!study.id) return void sendLater(made.error);
    $("kept").textContent = "Not kept.";
    return void say(made.error);
  }
  remember(made.id, [made.secret]);
  study = { ...study, id: made.id, version: 0, yours: true, origin: { study: made.id } };
  history.replaceState(null, "", made.url);
  $("keep").hidden = true;
  $("conflict").hidden = true;
  renderLinks();
  await send();
}

/** Read a study anew, as the server has it. */
function take(fresh) {
  const moves = tree.moves(here);
  study = { ...fresh };
  kept = edits;
  tree = new Tree(study.line);
  $("title").value = study.title;
  $("conflict").hidden = true;
  let at = tree.root;
  for (const move of moves) at = at.children.find((child) => child.move === move) ?? at;
  here = at;
  renderTree();
  go(here);
}

$("remark").addEventListener("input", () => {
  const words = $("remark").value.trim();
  here.comments = words ? [words] : [];
  changed();
});
$("title").addEventListener("input", changed);
$("promote").addEventListener("click", () => {
  tree.promote(here);
  changed();
});
$("remove").addEventListener("click", () => {
  const before = tree.remove(here);
  changed();
  go(before);
});
for (const button of ["keep", "keep-mine"]) {
  $(button).addEventListener("click", () => {
    $(button).disabled = true; // or there would be two of it
    sending = sending.then(keep).finally(() => {
      $(button).disabled = false;
    });
  });
}
$("take-theirs").addEventListener("click", () => take(study.theirs));
window.addEventListener("beforeunload", (event) => {
  if (kept < edits) event.preventDefault();
});

// --- going through it

const ways = {
  first: () => tree.root,
  back: () => here.parent ?? here,
  on: () => here.children[0] ?? here,
  last: () => tree.end(here),
  up: () => beside(-1),
  down: () => beside(1),
};

/** The move that could be played instead: the variation before or after. */
function beside(step) {
  const family = here.parent?.children ?? [];
  return family[family.indexOf(here) + step] ?? here;
}

for (const button of document.querySelectorAll("[data-go]")) {
  button.addEventListener("click", () => go(ways[button.dataset.go]()));
}
document.addEventListener("keydown", (event) => {
  const keys = { ArrowLeft: "back", ArrowRight: "on", ArrowUp: "up", ArrowDown: "down", Home: "first", End: "last" };
  if (!(event.key in keys) || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest("input, textarea, select, #board, #graph")) return;
  event.preventDefault();
  go(ways[keys[event.key]]());
});
// Whoever points at the board goes on through the moves by arrow keys; who tabs to it, on the board.
box.addEventListener("mousedown", (event) => {
  event.preventDefault();
  document.activeElement?.blur();
});
$("flip").addEventListener("click", () => {
  $("flip").setAttribute("aria-pressed", box.classList.toggle("flipped"));
});

// --- the engine

function think() {
  if (!thinking || !shown) return;
  if ($("review").disabled) return void forget(); // one thing at a time
  say("");
  if (shown.to_move !== null) return void engine.ask("analyse", course(here));
  engine.stop();
  forget();
  $("verdict").textContent = shown.words;
  const { returns } = shown.outcome;
  const lowest = -1 / (returns.length - 1);
  const chances = returns.map((value) => (value - lowest) / (1 - lowest));
  weigh($("balance"), chances, study.seats, study.inks[theme()], shown.words);
}

/** Nothing has been thought about this position. */
function forget() {
  $("depth").textContent = "";
  $("verdict").textContent = "";
  $("candidates").replaceChildren();
  $("balance").hidden = true;
  rest();
}

function hear(told) {
  if (told.type === "analysis" && shown) renderThoughts(told);
  if (told.type === "progress") {
    $("progress").max = told.of;
    $("progress").value = told.done;
  }
  if (told.type === "review") {
    study.review = told.review;
    renderTree();
  }
  if (told.type === "kept") {
    $("progress").hidden = true;
    $("review").disabled = false;
    think();
  }
}

function renderThoughts(told) {
  const { solved, proven } = told;
  const verdict = solved ? `Solved: ${solved.end} with best play. Best: ${solved.moves.join(", ")}` : proven ? `Proven: ${proven}` : "";
  $("verdict").textContent = verdict;
  $("depth").textContent = `${told.visits.toLocaleString("en")} lines${told.done ? "" : " …"}`;
  weigh($("balance"), (solved ?? told).chances, study.seats, study.inks[theme()], verdict);
  $("candidates").replaceChildren(...told.moves.map((candidate) => suggest(candidate, solved)));
  box.classList.toggle("thinking", $("heat").checked);
  if ($("heat").checked) board.rest(told.svg);
}

/** A candidate as a button that plays it. */
function suggest(candidate, solved) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  const place = here;
  button.type = "button";
  const move = document.createElement("b");
  move.textContent = candidate.move;
  const worth = document.createElement("span");
  const chance = candidate.chances[shown.to_move];
  worth.textContent = candidate.proven ? { 1: "wins", 0: "loses" }[chance] ?? "draws" : percent(chance);
  const line = document.createElement("span");
  line.className = "line";
  line.textContent = candidate.pv.slice(1, 8).join(" ");
  const share = document.createElement("meter");
  share.value = candidate.share;
  share.setAttribute("aria-label", `${percent(candidate.share)} of the lines`);
  button.append(move, worth, share, line);
  button.classList.toggle("best", Boolean(solved?.moves.includes(candidate.move)));
  button.addEventListener("click", () => {
    if (here === place) play(candidate.move);
  });
  item.append(button);
  return item;
}

/** The board without what the engine thinks. */
function rest() {
  box.classList.remove("thinking");
  if (shown) board.rest(shown.svg);
}

function switchEngine(on) {
  thinking = on;
  $("engine").setAttribute("aria-pressed", on);
  $("thoughts").hidden = !on;
  if (on) return void think();
  $("balance").hidden = true;
  rest();
}

$("engine").addEventListener("click", () => {
  if (thinking && !$("review").disabled) engine.stop();
  switchEngine(!thinking);
});
$("heat").addEventListener("change", rest);

// --- the whole game

/** What a review says of the main line, as far as it still is the one that was looked over. */
function reviewed() {
  const { moves, plies } = study.review ?? { moves: [], plies: [] };
  const main = tree.mainLine();
  const differs = moves.findIndex((move, i) => main[i]?.move !== move);
  return differs < 0 ? plies : plies.slice(0, differs);
}

function renderReview() {
  const plies = reviewed();
  const main = tree.mainLine();
  $("review").hidden = main.length === 0;
  $("review").textContent = study.review ? "Review it again" : "Review the game";
  $("changed").hidden = !study.review || (plies.length === study.review.plies.length && main.length === plies.length);
  if (plies.length) graph.show({ plies }, study.seats, study.inks[theme()]);
  else $("graph").hidden = true;
  const worst = [...plies.entries()].filter(([, ply]) => ply.mark).sort(([, a], [, b]) => b.loss - a.loss);
  $("mistakes").replaceChildren(...worst.slice(0, 8).map(([i, ply]) => mistake(i, ply)));
}

/** A mistake in words; a click shows what would have been better. */
function mistake(i, ply) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  const mark = document.createElement("b");
  mark.textContent = ply.mark;
  button.append(mark, ` ${study.seats[ply.seat].title}: ${ply.words}`);
  button.addEventListener("click", () => {
    let at = i ? tree.mainLine()[i - 1] : tree.root;
    const before = at.children.length;
    const start = at;
    for (const step of ply.line) at = tree.add(at, step);
    if (start.children.length > before) {
      start.children.at(-1).comments = ["engine: better"];
      changed();
    }
    go(start.children.find((child) => child.move === ply.line[0].move));
  });
  item.append(button);
  return item;
}

$("review").addEventListener("click", async () => {
  $("review").disabled = true;
  if (!study.id || kept < edits) await save();
  if (!study.id) return void ($("review").disabled = false);
  $("progress").hidden = false;
  $("progress").value = 0;
  engine.ask("review", { study: study.id });
});

// --- taking it elsewhere

function renderLinks() {
  for (const link of document.querySelectorAll("[data-export]")) {
    if (study.id) link.href = `/api/studies/${study.id}/${link.dataset.export}?theme=${theme()}`;
  }
  const address = `${location.origin}/study/${study.id}`;
  const rows = study.id ? [["To read", address]] : [];
  if (study.yours) rows.push(["To change it", `${address}#s=${secretsOf(study.id)[0]}`]);
  if (rows.length) $("share").replaceChildren(...rows.map(([name, link]) => row(name, link)));
}

function row(name, link) {
  const label = document.createElement("label");
  label.className = "remark";
  const field = document.createElement("input");
  field.readOnly = true;
  field.value = link;
  field.addEventListener("focus", () => field.select());
  label.append(name, field);
  return label;
}

/** Where pictures of the board that is shown are found. */
function linkBoard() {
  const { game, options, start } = study;
  const chosen = Object.entries(options).map(([name, value]) => `${name}=${value}`).join(",");
  for (const link of document.querySelectorAll("[data-board]")) {
    const asked = new URLSearchParams({ game, options: chosen, start, moves: tree.moves(here).join(","), theme: theme() });
    link.href = `/api/positions/board.${link.dataset.board}?${asked}`;
  }
  const asked = new URLSearchParams({ game, options: chosen, position: $("position").value });
  $("set-up").href = `/study?${asked}`;
}

$("make-link").addEventListener("click", save);
for (const link of document.querySelectorAll("[data-export]")) {
  link.addEventListener("click", async (event) => {
    if (study.id && kept === edits) return;
    event.preventDefault();
    await save();
    if (study.id && kept === edits) location.href = link.href;
  });
}
$("position").addEventListener("focus", () => $("position").select());

dark.addEventListener("change", () => {
  renderTree();
  renderLinks();
  go(here);
});

// --- the beginning

async function enter() {
  if (study.id) keepSecrets(study.id);
  if (study.id && secretsOf(study.id).length) {
    const headers = { "X-Seat": secretsOf(study.id).join(",") };
    const answer = await fetch(`/api/studies/${study.id}`, { headers }).catch(() => null);
    if (answer?.ok) study = await answer.json();
    tree = new Tree(study.line);
  }
  renderTree();
  renderLinks();
  const wanted = /^#p=(\d+)$/.exec(location.hash);
  const main = tree.mainLine();
  go((wanted ? main[Number(wanted[1]) - 1] : main.at(-1)) ?? tree.root);
}

box.replaceChildren();
enter();
