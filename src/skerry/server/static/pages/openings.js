// The explorer of openings: a board to go through, and beside it what strong players played there.

import { listenForSteps, listenToButtons } from "../board/looking.js";
import { Pointing } from "../board/pointing.js";
import { flip, isFlipped } from "../board/sides.js";
import { formatOptions, previewTrial } from "../lib/api.js";
import { lookUp } from "../lib/openings.js";
import { $, make, makeButton, markCurrent, readDocument, speak } from "../lib/page.js";
import { dark, theme } from "../lib/preferences.js";
import { explainTrial } from "../lib/reasons.js";
import { isRefusal } from "../lib/requests.js";
import { renderWays } from "./openings/ways.js";

/** @import { OpeningsDocument, Options, SeatTitle } from "../lib/types.js" */

/**
 * @typedef {object} Explored what the page begins with
 * @property {string} game
 * @property {Options} options
 * @property {string} chosen options as the address has them
 * @property {string} start
 * @property {boolean} usual whether that is where games of the kind begin
 * @property {SeatTitle[]} seats
 * @property {string[]} moves
 */

const MOST_KNOWN = 200; // positions

/** @type {Explored} */
const { game, options, chosen, start, usual, seats, moves } = readDocument();
const box = $("board");
let line = moves; // all that was played, with what was gone back from
let at = line.length; // how many of these moves are on the board
/** @type {Map<string, OpeningsDocument>} positions that were looked at */
const known = new Map();

const board = new Pointing(box, {
  preview: (path, signal) => previewTrial({ ...trial(), path }, signal),
  play: ({ move }) => play(move),
  changed: () => say(""),
  refused: async (path) => {
    const place = at;
    const answer = await explainTrial({ ...trial(), path });
    if (at === place) say(isRefusal(answer) ? answer.error : answer.reason);
  },
  tell: (text) => say(text),
  speak,
  choices: $("choices"),
});

/** @param {string} text */
function say(text) {
  $("message").textContent = text;
}

function trial() {
  const played = line.slice(0, at);
  return { game, options, start, moves: played, theme: theme(), turned: isFlipped(game) };
}

// --- where we are

/**
 * The address of this page after some moves.
 *
 * @param {string[]} played
 */
function linkTo(played) {
  const given = new URLSearchParams();
  if (chosen) given.set("options", chosen);
  if (!usual) given.set("start", start);
  if (played.length) given.set("moves", played.join(","));
  const asked = String(given).replaceAll("%2C", ",").replaceAll("%3D", "=");
  return `/openings/${game}${asked ? `?${asked}` : ""}`;
}

/** @param {number} ply */
async function look(ply) {
  at = ply;
  board.clear();
  renderLine();
  const played = line.slice(0, at);
  history.replaceState(null, "", linkTo(played));
  const asked = {
    options: formatOptions(options),
    start,
    moves: played.join(","),
    theme: theme(),
    turned: String(isFlipped(game)),
  };
  const key = JSON.stringify(asked);
  const found = known.get(key) ?? (await lookUp(game, asked));
  if (at !== ply || line.slice(0, at).join() !== played.join()) return;
  if (isRefusal(found)) return void say(found.error);
  if (known.size > MOST_KNOWN) known.clear();
  known.set(key, found);
  render(found);
}

/** @param {OpeningsDocument} found */
function render(found) {
  const { legal, directions, openings, to_move, position } = found;
  $("words").textContent = found.words;
  board.offer({ legal, directions, seats, mine: to_move !== null });
  board.rest(found.svg, found.moves.at(-1)?.path);
  const study = new URLSearchParams({ game, options: formatOptions(options), position });
  $("analyse", HTMLAnchorElement).href = `/study/new?${study}`;
  if (!openings) return;
  $("line-name").textContent = openings.name ?? "";
  const told = seats.length > 2 ? seats : seats.filter(({ seat }) => seat === to_move);
  renderWays(openings, told, (move) => linkTo([...line.slice(0, at), move]));
}

function renderLine() {
  const buttons = line.map((move, ply) => {
    const button = makeButton(move, () => look(ply + 1));
    markCurrent(button, ply + 1 === at, "step");
    return button;
  });
  $("line").replaceChildren(...buttons.flatMap((button) => [button, make("span", {}, " ")]));
}

/** @param {string} move */
function play(move) {
  if (line[at] !== move) line = [...line.slice(0, at), move];
  return look(at + 1);
}

// --- going through it

const place = { at: () => at, last: () => line.length, look };
listenToButtons(place);
listenForSteps(box, box, place);
// Whoever points at the board goes on through the moves by arrow keys; who tabs to it, on the board.
box.addEventListener("mousedown", (event) => {
  event.preventDefault();
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
});
$("ways").addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || !(event.target instanceof Element))
    return;
  const row = event.target.closest("a")?.closest("th");
  if (!row?.dataset.move) return;
  event.preventDefault();
  play(row.dataset.move);
});
$("flip").setAttribute("aria-pressed", String(isFlipped(game)));
$("flip").addEventListener("click", () => {
  $("flip").setAttribute("aria-pressed", String(flip(game)));
  look(at);
});
dark.addEventListener("change", () => look(at));

look(at);
