// A puzzle: moves are tried on the board, the server judges every turn. If it is right the others
// reply and it goes on; if it is wrong the line that refutes it can be looked at.

import { Pointing } from "../board/pointing.js";
import { answerPuzzle, previewTrial, tryMoves } from "../lib/api.js";
import { $, findAll, make, makeButton, markCurrent, readDocument, speak } from "../lib/page.js";
import { dark, theme } from "../lib/preferences.js";
import { listFinished, markFinished } from "../lib/progress.js";
import { explainTrial } from "../lib/reasons.js";
import { isRefusal } from "../lib/requests.js";
import { t } from "../lib/texts.js";
import { wait } from "../lib/time.js";

/** @import { BoardDocument, PuzzleDocument, PuzzleTurn, PuzzleVerdict } from "../lib/types.js" */

const PAUSE = 700; // milliseconds between the moves of a line

/** @type {PuzzleDocument} */
const puzzle = readDocument();
const opening = $("words").textContent ?? "";

/** @type {string[]} played since the puzzle's position, replies included */
let moves = [];
let turnBegan = 0; // how many of them were there before the turn that is being made
let asked = 0; // counts what the server was asked, so that late answers are dropped

const board = new Pointing($("board"), {
  preview: (path, signal) => previewTrial({ ...trial(), path }, signal),
  play: ({ move }) => play(move),
  refused: async (path) => {
    const number = asked;
    const answer = await explainTrial({ ...trial(), path });
    if (number === asked) say(isRefusal(answer) ? answer.error : answer.reason);
  },
  tell: (text) => say(text),
  speak,
  choices: $("choices"),
});

function trial() {
  const { game, options, start } = puzzle;
  return { game, options, start, moves, theme: theme(), live: true };
}

// --- what is on the page

/**
 * @param {string} text
 * @param {"" | "right" | "wrong"} verdict
 */
function say(text, verdict = "") {
  $("words").textContent = text;
  $("words").className = `verdict ${verdict}`;
}

/**
 * @param {BoardDocument} shown
 * @param {boolean} mine
 */
function draw(shown, mine) {
  const { legal, directions } = shown;
  board.clear();
  board.rest(shown.svg, shown.moves.at(-1)?.path);
  board.offer({ legal, directions, seats: puzzle.seats, mine });
  for (const [seat, item] of findAll(".holding", $("holdings")).entries()) {
    item.textContent = shown.holdings[seat] ?? "";
  }
  $("restart").hidden = moves.length === 0;
}

/** Show where the moves lead; null if that is not known, or not wanted any more. */
async function look() {
  const number = ++asked;
  const shown = await tryMoves(trial());
  if (number !== asked) return null;
  if (isRefusal(shown)) {
    stumble(shown.error);
    return null;
  }
  draw(shown, shown.to_move === puzzle.seat);
  return shown;
}

/**
 * Something went wrong on the way to the server or there; the turn can be made again.
 *
 * @param {string} error
 */
function stumble(error) {
  say(error, "wrong");
  $("again").hidden = false;
}

/** @param {number} count of moves to go back to */
function goBack(count) {
  moves = moves.slice(0, count);
  turnBegan = count;
  $("line").hidden = true;
  $("line").replaceChildren();
  $("again").hidden = true;
  say(opening);
  look();
}

function showSolved() {
  $("done").hidden = !listFinished("puzzles", puzzle.game).has(puzzle.number);
}

// --- answering

/** @param {string} move */
async function play(move) {
  board.offer({ ...board.offered, mine: false }); // nothing else until this is shown
  moves = [...moves, move];
  const shown = await look();
  if (!shown || shown.to_move === puzzle.seat) return;
  say(t("Looking at all replies …"));
  const number = ++asked;
  const verdict = await answerPuzzle(puzzle.game, puzzle.number, { moves, theme: theme() });
  if (number !== asked) return;
  if (isRefusal(verdict)) stumble(verdict.error);
  else if (verdict.right) goOn(verdict);
  else refute(shown, verdict);
}

/** @param {PuzzleVerdict} verdict */
async function goOn(verdict) {
  const number = asked;
  say(verdict.words, "right");
  if (verdict.solved) {
    markFinished("puzzles", puzzle.game, puzzle.number);
    showSolved();
    $("next").classList.add("primary");
  }
  for (const step of verdict.line) {
    await wait(PAUSE);
    if (number !== asked) return;
    moves = [...moves, step.turn];
    draw(step.board, step.board.to_move === puzzle.seat);
  }
  turnBegan = moves.length;
}

/**
 * Show why a turn does not win, move by move; every move of the line is a button.
 *
 * @param {BoardDocument} shown
 * @param {PuzzleVerdict} verdict
 */
async function refute(shown, verdict) {
  const number = asked;
  say(verdict.words, "wrong");
  $("again").hidden = false;
  const turn = moves.slice(turnBegan).join("-");
  const steps = [{ seat: puzzle.seat, turn, board: shown }, ...verdict.line];
  const buttons = steps.map((step) =>
    makeButton(`${puzzle.seats[step.seat]?.title} ${step.turn}`, () => {
      asked += 1; // whoever looks for themselves is not led on
      view(step);
    }),
  );
  const view = (/** @type {PuzzleTurn} */ step) => {
    draw(step.board, false);
    for (const [i, button] of buttons.entries()) markCurrent(button, steps[i] === step, "step");
  };
  $("line").replaceChildren(...buttons.map((button) => make("li", {}, button)));
  $("line").hidden = false;
  for (const step of steps) {
    if (number !== asked) return;
    view(step);
    await wait(PAUSE);
  }
}

$("again").addEventListener("click", () => goBack(turnBegan));
$("restart").addEventListener("click", () => goBack(0));
dark.addEventListener("change", () => goBack(turnBegan));
showSolved();
look();
