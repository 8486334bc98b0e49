// A puzzle: moves are tried on the board, the server judges every turn. If it is right the others
// reply and it goes on; if it is wrong the line that refutes it can be looked at.

import { dark, theme } from "./board.js";
import { Pointing, tryOut } from "./pointing.js";
import { finish, finished } from "./progress.js";
import { api } from "./seats.js";

const PAUSE = 700; // milliseconds between the moves of a line
const $ = (id) => document.getElementById(id);
const puzzle = JSON.parse($("document").textContent);
const address = `/api/puzzles/${puzzle.game}/${puzzle.number}`;
const opening = $("words").textContent;

let moves = []; // played since the puzzle's position, replies included
let turnBegan = 0; // how many of them were there before the turn that is being made
let asked = 0; // counts what the server was asked, so that late answers are dropped

const board = new Pointing($("board"), {
  preview: (path, signal) => tryOut("/preview", trial({ path }), signal),
  play: ({ move }) => play(move),
  speak: (text) => {
    $("spoken").textContent = text;
  },
  choices: $("choices"),
});

function trial(more = {}) {
  const { game, options, start } = puzzle;
  return { game, options, start, moves, theme: theme(), ...more };
}

// --- what is on the page

function say(text, kind = "") {
  $("words").textContent = text;
  $("words").className = `verdict ${kind}`;
}

function draw(shown, mine) {
  const { legal, directions } = shown;
  board.clear();
  board.rest(shown.svg, shown.moves.at(-1)?.path ?? []);
  board.offer({ legal, directions, seats: puzzle.seats, mine });
  $("restart").hidden = moves.length === 0;
}

/** Show where the moves lead; null if that is not known, or not wanted any more. */
async function look() {
  const mine = ++asked;
  const shown = await api("/api/positions", "", trial());
  if (mine !== asked) return null;
  if (shown.error) return void stumble(shown.error);
  draw(shown, shown.to_move === puzzle.seat);
  return shown;
}

/** Something went wrong on the way to the server or there; the turn can be made again. */
function stumble(error) {
  say(error, "wrong");
  $("again").hidden = false;
}

function forgetLine() {
  $("line").hidden = true;
  $("line").replaceChildren();
  $("again").hidden = true;
}

function goTo(count) {
  moves = moves.slice(0, count);
  turnBegan = count;
  forgetLine();
  say(opening);
  look();
}

// --- answering

async function play(move) {
  board.offer({ ...board.offered, mine: false }); // nothing else until this is shown
  moves = [...moves, move];
  const shown = await look();
  if (!shown || shown.to_move === puzzle.seat) return;
  say("Looking at all replies …");
  const mine = ++asked;
  const verdict = await api(`${address}/answer`, "", { moves, theme: theme() });
  if (mine !== asked) return;
  if (verdict.error) stumble(verdict.error);
  else if (verdict.right) goOn(verdict);
  else refute(shown, verdict);
}

async function goOn(verdict) {
  const mine = asked;
  say(verdict.words, "right");
  if (verdict.solved) {
    finish("puzzles", puzzle.game, puzzle.number);
    showSolved();
    $("next").classList.add("primary");
  }
  for (const step of verdict.line) {
    await pause();
    if (mine !== asked) return;
    moves = [...moves, step.turn];
    draw(step.board, step.board.to_move === puzzle.seat);
  }
  turnBegan = moves.length;
}

/** Show why a turn does not win, move by move; every move of the line is a button. */
async function refute(shown, verdict) {
  const mine = asked;
  say(verdict.words, "wrong");
  $("again").hidden = false;
  const turn = moves.slice(turnBegan).join("-");
  const steps = [{ seat: puzzle.seat, turn, board: shown }, ...verdict.line];
  const buttons = steps.map((step, number) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `${puzzle.seats[step.seat].title} ${step.turn}`;
    button.addEventListener("click", () => {
      asked += 1;
      view(number);
    });
    return button;
  });
  const view = (number) => {
    draw(steps[number].board, false);
    buttons.forEach((button, at) => {
      if (at === number) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
  };
  $("line").replaceChildren(
    ...buttons.map((button) => {
      const item = document.createElement("li");
      item.append(button);
      return item;
    }),
  );
  $("line").hidden = false;
  for (const number of steps.keys()) {
    if (mine !== asked) return;
    view(number);
    await pause();
  }
}

function pause() {
  return new Promise((done) => setTimeout(done, PAUSE));
}

function showSolved() {
  $("done").hidden = !finished("puzzles", puzzle.game).has(puzzle.number);
}

$("again").addEventListener("click", () => goTo(turnBegan));
$("restart").addEventListener("click", () => goTo(0));
dark.addEventListener("change", () => goTo(turnBegan));
showSolved();
look();
