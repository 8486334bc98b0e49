// The page of a course: one board at a time is alive, and the server judges what is tried on it.

import { Pointing } from "../board/pointing.js";
import { previewTrial, tryLesson } from "../lib/api.js";
import { startGame } from "../lib/newgame.js";
import { $, find, findAll, markCurrent, readData, speak } from "../lib/page.js";
import { dark, still, theme } from "../lib/preferences.js";
import { listFinished, markFinished } from "../lib/progress.js";
import { isRefusal } from "../lib/requests.js";
import { t } from "../lib/texts.js";

/** @import { LessonDocument } from "../lib/types.js" */

const course = find("article.course");
const game = readData(course, "game");
const sections = findAll("section[data-step]", course);
const box = $("board");

let section = findFirst(); // the step whose board is alive
/** @type {LessonDocument | null} what the server said last */
let shown = null;
/** @type {string[]} the reader's */
let moves = [];
let asked = 0; // counts what the server was asked, so that late answers are dropped

const board = new Pointing(box, {
  preview: async (path, signal) => {
    if (!shown) return null;
    const options = JSON.parse(readData(section, "options"));
    const played = shown.moves.map((move) => move.text);
    const trial = { game, options, start: shown.start, moves: played, theme: theme() };
    return previewTrial({ ...trial, path }, signal);
  },
  play: ({ move }) => attempt([...moves, move]),
  refused: (path) => attempt(moves, path),
  speak,
  choices: $("choices"),
});

// --- trying

/**
 * Ask what some moves come to, and show it; `path` is what was then pointed at in vain.
 *
 * @param {string[]} tried
 * @param {string[]} path
 */
async function attempt(tried, path = []) {
  const number = ++asked;
  const body = { moves: tried, path, theme: theme() };
  const answer = await tryLesson(game, readData(section, "step"), body);
  if (number !== asked) return; // something else was tried meanwhile
  if (isRefusal(answer)) return void say(answer.error, "no");
  const before = shown?.moves.length ?? 0;
  moves = tried;
  shown = answer;
  box.hidden = false;
  find(".picture", section).hidden = true;
  const last = answer.moves.length > before ? answer.moves.at(-1) : null;
  board.offer({ ...answer, mine: !answer.done && !answer.wrong });
  board.rest(answer.svg, last?.path);
  say(answer.feedback, answer.done ? "yes" : answer.wrong || path.length ? "no" : "");
  if (answer.done) markFinished("lessons", game, readData(section, "step"));
  render();
  if (answer.feedback) lead(find(".bar", section), "nearest"); // small screens
}

/**
 * Bring something into sight.
 *
 * @param {Element} element
 * @param {ScrollLogicalPosition} block
 */
function lead(element, block) {
  element.scrollIntoView({ behavior: still.matches ? "auto" : "smooth", block });
}

/**
 * @param {string} text
 * @param {"" | "yes" | "no"} how
 */
function say(text, how) {
  const feedback = find(".feedback", section);
  feedback.textContent = text;
  feedback.dataset.how = how;
}

/**
 * Bring the board of a step to life; the one before goes back to its picture.
 *
 * @param {HTMLElement} next
 */
function enter(next) {
  say("", "");
  find(".picture", section).hidden = false;
  box.hidden = true;
  section = next;
  shown = null;
  board.empty();
  box.setAttribute("aria-describedby", find(".task", section).id);
  find(".place", section).append(box);
  find(".place", section).after($("choices"));
  render(); // what was left takes its old height before anybody is led here
  begin();
}

/**
 * Bring the board of a step to life and the reader to it.
 *
 * @param {HTMLElement} next
 */
function leadTo(next) {
  enter(next);
  lead(next, "start");
  find("h2", next).focus({ preventScroll: true });
}

/** Start the step anew. */
function begin() {
  board.clear();
  attempt([]);
}

// --- what is on the page

function render() {
  const done = listFinished("lessons", game);
  for (const each of sections) renderSection(each, done.has(readData(each, "step")));
  for (const link of findAll(".steps a[data-step]", course)) {
    const step = readData(link, "step");
    link.classList.toggle("done", done.has(step));
    markCurrent(link, step === readData(section, "step"), "step");
  }
  const progress = find(".progress", course);
  progress.hidden = done.size === 0;
  progress.textContent = t("{done} of {count} done", {
    done: done.size,
    count: sections.length,
  });
}

/**
 * @param {HTMLElement} each
 * @param {boolean} isDone
 */
function renderSection(each, isDone) {
  const alive = each === section;
  const button = (/** @type {string} */ name) => find(`[data-do=${name}]`, each);
  button("try").hidden = alive;
  button("again").hidden = !alive || !shown || (moves.length === 0 && !shown.done);
  button("next").hidden = !alive || !isDone;
  button("next").classList.toggle("primary", alive && shown?.done === true);
  button("again").classList.toggle("primary", alive && shown?.wrong === true);
  for (const word of findAll("[data-attempt]", each)) word.hidden = !alive || shown?.done === true;
  each.classList.toggle("alive", alive);
  each.classList.toggle("done", isDone);
}

course.addEventListener("click", (event) => {
  const { target } = event;
  if (!(target instanceof HTMLElement)) return;
  const here = /** @type {HTMLElement | null} */ (target.closest("section[data-step]"));
  const { do: what, attempt: word } = target.dataset;
  if (here && (what === "try" || target.closest(".picture"))) enter(here);
  else if (what === "again") begin();
  else if (here && what === "next") follow(here);
  else if (word) attempt(moves, [word]);
  const link = target.closest(".steps a");
  if (link instanceof HTMLAnchorElement && link.dataset.step) {
    event.preventDefault();
    history.replaceState(null, "", link.hash);
    leadTo($(link.hash.slice(1)));
  }
});

/** @param {HTMLElement} here */
function follow(here) {
  const next = sections[sections.indexOf(here) + 1];
  if (next) return void leadTo(next);
  lead($("first-win"), "start");
  $("title-first-win").focus({ preventScroll: true });
}

$("first-game").hidden = false;
$("first-game").addEventListener("click", async () => {
  const message = find(".message", $("first-win"));
  message.textContent = await startGame(JSON.parse(readData($("first-game"), "body")));
});

dark.addEventListener("change", () => attempt(moves));

/** Where to begin: what the address names, or else the first step that is not done. */
function findFirst() {
  const named = document.getElementById(location.hash.slice(1) || "main");
  const done = listFinished("lessons", game);
  const found =
    named?.closest("section[data-step]") ??
    sections.find((each) => !done.has(readData(each, "step"))) ??
    sections[0];
  return /** @type {HTMLElement} */ (found);
}

window.addEventListener("hashchange", () => enter(findFirst()));
enter(section);
