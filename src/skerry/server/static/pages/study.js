// The study page: a tree of moves to go through, to add to, and to let the engine think about.

import { Pointing } from "../board/pointing.js";
import { flip, isFlipped } from "../board/sides.js";
import { changeStudy, createStudy, fetchStudy, previewTrial, tryMoves } from "../lib/api.js";
import { $, markCurrent, readDocument, settle, speak } from "../lib/page.js";
import { dark, theme } from "../lib/preferences.js";
import { explainTrial } from "../lib/reasons.js";
import { isRefusal } from "../lib/requests.js";
import { adoptSecret, remember, secretsOf } from "../lib/secrets.js";
import { t } from "../lib/texts.js";
import { Analyst } from "./study/analyst.js";
import { Graph } from "./study/graph.js";
import { Keeper } from "./study/keeper.js";
import { addBetterLine, listMarks, listReviewed, renderMistakes } from "./study/review.js";
import { linkBoard, listenToExports, renderLinks } from "./study/sharing.js";
import { Tree } from "./study/tree.js";
import { listenToNavigation, renderTree, reveal } from "./study/treeview.js";

/** @import { PositionDocument, ReviewedPly, StudyDocument } from "../lib/types.js" */
/** @import { Node } from "./study/tree.js" */

const MOST_KNOWN = 200; // positions

const box = $("board");
const title = $("title", HTMLInputElement);
const remark = $("remark", HTMLTextAreaElement);
const position = $("position", HTMLInputElement);

/** @type {StudyDocument} */
let study = readDocument();
/** @type {StudyDocument | null} what somebody else has made of it */
let theirs = null;
let tree = new Tree(study.line);
let here = tree.root; // the node that is looked at
/** @type {PositionDocument | null} what the server says about it, once it has */
let shown = null;
/** @type {Map<Node, HTMLButtonElement>} */
let buttons = new Map();
/** @type {Map<string, PositionDocument>} positions that were looked at, by their moves */
const known = new Map();

const board = new Pointing(box, {
  preview: (path, signal) => previewTrial({ ...trial(here), path }, signal),
  play: ({ move }) => play(move),
  changed: () => say(""),
  refused: async (path) => {
    const node = here;
    const answer = await explainTrial({ ...trial(node), path });
    if (here === node) say(isRefusal(answer) ? answer.error : answer.reason);
  },
  tell: (text) => say(text),
  speak,
  choices: $("choices"),
});
const analyst = new Analyst(board, {
  look: () => ({ shown, trial: trial(here), seats: study.seats, inks: findInks() }),
  play,
  reviewed: (review) => {
    study.review = review;
    render();
  },
  say,
});
const graph = new Graph($("graph"), (ply) => {
  go(ply === 0 ? tree.root : (tree.mainLine()[ply - 1] ?? here));
});
const keeper = new Keeper(study, {
  read: () => ({ title: title.value, line: tree.toLine() }),
  create: (name) => createStudy({ ...study.origin, title: name }),
  change: changeStudy,
  made: ({ id, url, secret }) => {
    remember(id, [secret]);
    study = { ...study, id, yours: true, origin: { study: id } };
    history.replaceState(null, "", url);
    $("keep").hidden = true;
    $("conflict").hidden = true;
    renderLinks(study);
  },
  tell: (status) => {
    $("kept").textContent = { waiting: "…", kept: t("Kept."), failed: t("Not kept.") }[status];
  },
  say,
  conflict: (found) => {
    theirs = found;
    $("conflict").hidden = false;
  },
});

/** @param {string} text */
function say(text) {
  $("message").textContent = text;
}

// --- where we are

/** @param {Node} node */
function trial(node) {
  const { game, options, start } = study;
  return { game, options, start, moves: tree.moves(node), theme: theme(), turned: isFlipped(game) };
}

function findInks() {
  return study.inks[theme()] ?? [];
}

/** @param {Node} node */
async function go(node) {
  here = node;
  shown = null;
  board.clear();
  renderHere();
  const asked = trial(node);
  const key = JSON.stringify([asked.theme, asked.turned, asked.moves]);
  const found = known.get(key) ?? (await tryMoves(asked));
  if (here !== node) return;
  if (isRefusal(found)) return void say(found.error);
  if (known.size > MOST_KNOWN) known.clear();
  known.set(key, found);
  shown = found;
  $("words").textContent = found.words;
  position.value = found.position;
  const { legal, directions } = found;
  board.offer({ legal, directions, seats: study.seats, mine: found.to_move !== null });
  board.rest(found.svg, found.moves.at(-1)?.path);
  linkBoard(study, asked.moves, found.position);
  analyst.think();
}

function renderHere() {
  for (const [node, button] of buttons) markCurrent(button, node === here);
  const button = buttons.get(here);
  if (button) reveal($("tree"), button);
  if (document.activeElement !== remark) remark.value = here.comments.join("\n\n");
  $("promote").hidden = !tree.start(here);
  $("remove").hidden = !here.parent;
  const ply = tree.mainLine().indexOf(here) + 1;
  graph.point(ply || here === tree.root ? ply : null);
}

function render() {
  const plies = listReviewed(study.review, tree);
  buttons = renderTree($("tree"), tree, listMarks(plies, tree), go);
  renderReview(plies);
  renderHere();
}

// --- changing it

/** @param {string} move */
async function play(move) {
  if (!shown) return; // it was meant for another position
  const count = here.children.length;
  const node = tree.add(here, { move, seat: shown.to_move });
  if (here.children.length > count) changed();
  await go(node);
}

/** Something is different now. */
function changed() {
  render();
  if (study.id === null || study.yours) return void keeper.note();
  $("keep").hidden = false;
  $("kept").textContent = t("Not kept: this is somebody else's study.");
}

/**
 * Read a study anew, as the server has it.
 *
 * @param {StudyDocument} fresh
 */
function take(fresh) {
  const moves = tree.moves(here);
  study = fresh;
  keeper.adopt(fresh);
  tree = new Tree(study.line);
  here = tree.find(moves);
  title.value = study.title;
  $("conflict").hidden = true;
  render();
  go(here);
}

remark.addEventListener("input", () => {
  const words = remark.value.trim();
  here.comments = words ? [words] : [];
  changed();
});
title.addEventListener("input", changed);
$("promote").addEventListener("click", () => {
  tree.promote(here);
  changed();
});
$("remove").addEventListener("click", () => {
  const before = tree.remove(here);
  changed();
  go(before);
});
for (const id of ["keep", "keep-mine"]) {
  const button = $(id, HTMLButtonElement);
  button.addEventListener("click", async () => {
    button.disabled = true; // or there would be two of it
    await keeper.saveCopy();
    button.disabled = false;
  });
}
$("take-theirs").addEventListener("click", () => {
  if (theirs) take(theirs);
});
window.addEventListener("beforeunload", (event) => {
  if (keeper.isBehind) event.preventDefault();
});

// --- going through it

listenToNavigation(() => ({ tree, here }), go);
// Whoever points at the board goes on through the moves by arrow keys; who tabs to it, on the board.
box.addEventListener("mousedown", (event) => {
  event.preventDefault();
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
});
$("flip").setAttribute("aria-pressed", String(isFlipped(study.game)));
$("flip").addEventListener("click", () => {
  $("flip").setAttribute("aria-pressed", String(flip(study.game)));
  go(here);
});

// --- the whole game

/** @param {ReviewedPly[]} plies */
function renderReview(plies) {
  const { review } = study;
  const count = tree.mainLine().length;
  $("review").hidden = count === 0;
  $("review").textContent = review ? t("Review it again") : t("Review the game");
  $("changed").hidden = !review || (plies.length === review.plies.length && count === plies.length);
  if (plies.length) graph.show(plies, study.seats, findInks());
  else $("graph").hidden = true;
  renderMistakes($("mistakes"), plies, study.seats, (number, ply) => {
    const { start, isNew } = addBetterLine(tree, number, ply);
    if (isNew) changed();
    go(start);
  });
}

$("review").addEventListener("click", async () => {
  analyst.prepareReview();
  if (!keeper.isKept) await keeper.save();
  if (study.id === null) analyst.endReview();
  else analyst.review(study.id);
});

// --- taking it elsewhere

$("make-link").addEventListener("click", () => keeper.save());
listenToExports(keeper, say);
position.addEventListener("focus", () => position.select());

dark.addEventListener("change", () => {
  render();
  renderLinks(study);
  go(here);
});

// --- the beginning

async function enter() {
  board.empty();
  if (study.id !== null) adoptSecret(study.id);
  if (study.id !== null && secretsOf(study.id).length) {
    const found = await fetchStudy(study.id);
    if (!isRefusal(found)) study = found;
    keeper.adopt(study);
    tree = new Tree(study.line);
  }
  render();
  renderLinks(study);
  const wanted = /^#p=(\d+)$/.exec(location.hash)?.[1];
  const main = tree.mainLine();
  await go((wanted ? main[Number(wanted) - 1] : main.at(-1)) ?? tree.root);
  settle();
}

enter();
