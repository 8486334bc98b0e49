// The page of a course: one board at a time is alive, and the server judges what is tried on it.

import { dark, theme } from "./board.js";
import { Pointing, tryOut } from "./pointing.js";
import { finish, finished } from "./progress.js";
import { api, remember } from "./seats.js";

const $ = (id) => document.getElementById(id);
const STILL = window.matchMedia("(prefers-reduced-motion: reduce)");
const course = document.querySelector("article.course");
const { game } = course.dataset;
const sections = [...course.querySelectorAll("section[data-step]")];
const box = $("board");

let section = null; // the step whose board is alive
let shown = null; // what the server said last
let moves = []; // the reader's
let asked = 0; // how often the server was asked

const board = new Pointing(box, {
  preview: (path, signal) => {
    const options = JSON.parse(section.dataset.options);
    const played = shown.moves.map((move) => move.text);
    const trial = { game, options, start: shown.start, moves: played, path, theme: theme() };
    return tryOut("/preview", trial, signal);
  },
  play: ({ move }) => attempt([...moves, move]),
  refused: (path) => attempt(moves, path),
  speak: (text) => {
    $("spoken").textContent = text;
  },
  choices: $("choices"),
});

// --- trying

/** Ask what some moves come to, and show it. */
async function attempt(tried, path = []) {
  asked += 1;
  const number = asked;
  const answer = await api(`/api/lessons/${game}/${section.dataset.step}`, "", {
    moves: tried,
    path,
    theme: theme(),
  });
  if (number !== asked) return; // something else was tried meanwhile
  if (answer.error) return void say(answer.error, "no");
  const before = shown?.moves.length ?? 0;
  moves = tried;
  shown = answer;
  box.hidden = false;
  section.querySelector("picture").hidden = true;
  const last = answer.moves.length > before ? answer.moves.at(-1).path : [];
  board.offer({ ...answer, mine: !answer.done && !answer.wrong });
  board.rest(answer.svg, last);
  say(answer.feedback, answer.done ? "yes" : answer.wrong || path.length ? "no" : "");
  if (answer.done) finish("lessons", game, section.dataset.step);
  render();
  if (answer.feedback) lead(section.querySelector(".bar"), "nearest"); // small screens
}

/** Bring something into sight. */
function lead(element, block) {
  element.scrollIntoView({ behavior: STILL.matches ? "auto" : "smooth", block });
}

function say(text, how) {
  const feedback = section.querySelector(".feedback");
  feedback.textContent = text;
  feedback.dataset.how = how;
}

/** Bring the board of a step to life; the one before goes back to its picture. */
function enter(next, { focus = false } = {}) {
  if (section) leave();
  section = next;
  shown = null;
  box.replaceChildren();
  board.drawn = "";
  box.setAttribute("aria-describedby", section.querySelector(".task").id);
  section.querySelector(".place").append(box);
  section.querySelector(".place").after($("choices"));
  render(); // what was left takes its old height before anybody is led here
  if (focus) {
    lead(section, "start");
    section.querySelector("h2").focus({ preventScroll: true });
  }
  begin();
}

/** Start the step anew. */
function begin() {
  board.clear();
  attempt([]);
}

function leave() {
  say("", "");
  section.querySelector("picture").hidden = false;
  box.hidden = true;
}

// --- what is on the page

function render() {
  const done = finished("lessons", game);
  for (const each of sections) {
    const alive = each === section;
    const button = (name) => each.querySelector(`[data-do=${name}]`);
    each.querySelector(".bar").hidden = false;
    button("try").hidden = alive;
    button("again").hidden = !alive || !shown || (moves.length === 0 && !shown.done);
    button("next").hidden = !alive || !done.has(each.dataset.step);
    button("next").classList.toggle("primary", Boolean(alive && shown?.done));
    button("again").classList.toggle("primary", Boolean(alive && shown?.wrong));
    for (const word of each.querySelectorAll("[data-attempt]")) word.hidden = !alive || shown?.done;
    each.classList.toggle("alive", alive);
    each.classList.toggle("done", done.has(each.dataset.step));
  }
  for (const link of course.querySelectorAll(".steps a[data-step]")) {
    link.classList.toggle("done", done.has(link.dataset.step));
    if (link.dataset.step === section?.dataset.step) link.setAttribute("aria-current", "step");
    else link.removeAttribute("aria-current");
  }
  const progress = course.querySelector(".progress");
  progress.hidden = done.size === 0;
  progress.textContent = `${done.size} of ${sections.length} done`;
}

course.addEventListener("click", (event) => {
  const here = event.target.closest("section[data-step]");
  const { do: what, attempt: word } = event.target.dataset;
  if (what === "try" || (here && event.target.closest("picture"))) enter(here);
  else if (what === "again") begin();
  else if (what === "next") follow(here);
  else if (word) attempt(moves, [word]);
  const link = event.target.closest(".steps a");
  if (link?.dataset.step) {
    event.preventDefault();
    history.replaceState(null, "", link.hash);
    enter($(link.hash.slice(1)), { focus: true });
  }
});

function follow(here) {
  const next = sections[sections.indexOf(here) + 1];
  if (next) return void enter(next, { focus: true });
  lead($("first-win"), "start");
  $("title-first-win").focus({ preventScroll: true });
}

$("first-game").hidden = false;
$("first-game").addEventListener("click", async () => {
  const made = await api("/api/games", "", JSON.parse($("first-game").dataset.body));
  if (made.error) {
    $("first-win").querySelector(".message").textContent = made.error;
    return;
  }
  remember(made.id, made.secrets.filter(Boolean));
  location.href = made.url;
});

dark.addEventListener("change", () => attempt(moves));

/** Where to begin: what the address names, or else the first step that is not done. */
function first() {
  const named = document.getElementById(location.hash.slice(1) || "main");
  const done = finished("lessons", game);
  return (
    named?.closest("section[data-step]") ??
    sections.find((each) => !done.has(each.dataset.step)) ??
    sections[0]
  );
}

window.addEventListener("hashchange", () => enter(first()));
enter(first());
