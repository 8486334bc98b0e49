// The start page: one click is a game.

import { show } from "../board/picture.js";
import { fetchFrame } from "../lib/api.js";
import { readOptions, startGame } from "../lib/newgame.js";
import { find, findAll, readData } from "../lib/page.js";
import { still, theme } from "../lib/preferences.js";
import { listFinished } from "../lib/progress.js";
import { wait } from "../lib/time.js";

/** @import { NewGame } from "../lib/types.js" */

const [BETWEEN_MOVES, AT_THE_END] = [1700, 5000]; // milliseconds

for (const form of findAll("form.new-game", document, HTMLFormElement)) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { submitter } = event;
    begin(form, submitter instanceof HTMLButtonElement ? submitter.value : "engine");
  });
}

/**
 * Begin a game: against an engine, with a friend here, by a link, or to watch.
 *
 * @param {HTMLFormElement} form
 * @param {string} how
 */
async function begin(form, how) {
  const message = find(".message", form);
  message.textContent = "";
  message.textContent = await startGame(readForm(form, how));
}

/**
 * @param {HTMLFormElement} form
 * @param {string} how
 */
function readForm(form, how) {
  const chosen = new FormData(form);
  const own = Number(chosen.get("seat"));
  const level = `level:${chosen.get("level")}`;
  const seats = Array.from({ length: Number(readData(form, "seats")) }, (_, seat) => {
    if (how === "watch") return level;
    if (how === "engine") return seat === own ? "person" : level;
    return "person";
  });
  /** @type {NewGame} */
  const body = {
    game: readData(form, "game"),
    options: readOptions(form),
    seats,
    public: chosen.has("public"),
  };
  if (how === "link") body.seat = own;
  const clock = String(chosen.get("clock") ?? "");
  if (clock) body.clock = JSON.parse(clock);
  return body;
}

for (const link of findAll("[data-learn]")) {
  const done = listFinished("lessons", readData(link, "learn")).size;
  if (done) link.append(` (${done}/${readData(link, "steps")})`);
}

// Boards that live: each shows a game of its kind, move by move, while it is in sight.
const sight = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    target.toggleAttribute("data-seen", isIntersecting);
  }
});
for (const box of findAll("[data-frames]")) {
  sight.observe(box);
  if (!still.matches) live(box);
}

/** @param {HTMLElement} box */
async function live(box) {
  const frames = Number(readData(box, "frames"));
  let at = Number(readData(box, "at"));
  for (;;) {
    await wait(at === frames - 1 ? AT_THE_END : BETWEEN_MOVES);
    if (!box.hasAttribute("data-seen") || document.hidden || still.matches) continue;
    at = (at + 1) % frames;
    const frame = await fetchFrame(readData(box, "game"), at, theme());
    if (!frame) return;
    show(box, frame.svg, frame.path);
  }
}
