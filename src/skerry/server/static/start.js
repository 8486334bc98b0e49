// The start page: one click is a game.

import { show, theme } from "./board.js";
import { finished } from "./progress.js";
import { api, remember } from "./seats.js";

const STILL = window.matchMedia("(prefers-reduced-motion: reduce)");

for (const form of document.querySelectorAll("form.new-game")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    begin(form, event.submitter?.value ?? "engine");
  });
}

/** Begin a game of a kind: against an engine, with a friend here, by a link, or to watch. */
async function begin(form, how) {
  const said = form.querySelector(".message");
  said.textContent = "";
  const asked = new FormData(form);
  const options = {};
  for (const field of form.querySelectorAll("[data-option]")) {
    if (field.value !== field.defaultValue) options[field.dataset.option] = Number(field.value);
  }
  const count = Number(form.dataset.seats);
  const level = `level:${asked.get("level")}`;
  const mine = Number(asked.get("seat"));
  const seats = Array.from({ length: count }, (_, seat) => {
    if (how === "watch") return level;
    if (how === "engine") return seat === mine ? "person" : level;
    return "person";
  });
  const body = { game: form.dataset.game, options, seats, public: asked.has("public") };
  if (how === "link") body.seat = mine;
  if (asked.get("clock")) body.clock = JSON.parse(asked.get("clock"));
  const made = await api("/api/games", "", body);
  if (made.error) {
    said.textContent = made.error;
    return;
  }
  const secrets = made.secrets.filter(Boolean);
  if (how === "link") {
    const own = made.secrets[mine];
    remember(made.id, [own], Object.fromEntries(made.secrets.map((s, i) => [i, s])));
  } else remember(made.id, secrets);
  location.href = made.url;
}

for (const link of document.querySelectorAll("[data-learn]")) {
  const done = finished("lessons", link.dataset.learn).size;
  if (done) link.append(` (${done}/${link.dataset.steps})`);
}

// Boards that live: each shows a game of its kind, move by move, while it is in sight.
const sight = new IntersectionObserver((entries) => {
  for (const entry of entries) entry.target.dataset.seen = entry.isIntersecting ? "yes" : "";
});
for (const box of document.querySelectorAll("[data-frames]")) {
  sight.observe(box);
  if (!STILL.matches) live(box);
}

async function live(box) {
  const frames = Number(box.dataset.frames);
  let at = Number(box.dataset.at);
  for (;;) {
    await new Promise((done) => setTimeout(done, at === frames - 1 ? 5000 : 1700));
    if (!box.dataset.seen || document.hidden || STILL.matches) continue;
    at = (at + 1) % frames;
    const answer = await fetch(`/showcase/${box.dataset.game}/${at}.svg?theme=${theme()}`);
    if (!answer.ok) return;
    const moved = answer.headers.get("X-Path");
    show(box, await answer.text(), moved ? moved.split(",") : []);
  }
}
