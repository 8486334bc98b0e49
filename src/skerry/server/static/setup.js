// Where a study begins: a game and its board, a position set up by hand, or a record.

import { dark, theme } from "./board.js";
import { Pointing } from "./pointing.js";
import { api, remember } from "./seats.js";

const $ = (id) => document.getElementById(id);

let chosen = null; // the letter that a click puts on a cell
let shown = null; // the position as the server has it

const board = new Pointing($("board"), {
  play: ({ move }) => arrange($("text").value, [move, chosen]),
  speak: (text) => {
    $("spoken").textContent = text;
  },
});

function fields() {
  return [...document.querySelectorAll(`.options[data-kind="${$("game").value}"] [data-option]`)];
}

function options() {
  const changed = fields().filter((field) => field.value !== field.defaultValue);
  return Object.fromEntries(changed.map((field) => [field.dataset.option, Number(field.value)]));
}

let asked = 0;

/** Show a position, the starting one if there is none, with something put on a cell. */
async function arrange(position, put) {
  const number = ++asked;
  const body = { game: $("game").value, options: options(), theme: theme() };
  if (position) body.position = position;
  if (put) body.put = put;
  const answer = await api("/api/positions/setup", "", body);
  if (number !== asked) return; // something else was wanted meanwhile
  $("options").value = Object.entries(body.options).map(([name, value]) => `${name}=${value}`).join(",");
  $("wrong").textContent = answer.error ?? "";
  if (!answer.svg) return;
  shown = answer;
  if (!position || put) $("text").value = answer.position;
  board.offer({ legal: [], directions: {}, seats: [], mine: false }); // it may be another board now
  board.rest(answer.svg);
  const cells = [...$("board").querySelectorAll(".cell")].map((cell) => cell.id.slice("cell-".length));
  const seats = answer.seats.map((seat, number) => ({ seat: number, ...seat }));
  board.offer({ legal: cells.map((name) => ({ move: name, path: [name] })), directions: {}, seats, mine: true });
  render();
}

function render() {
  for (const button of [$("empty"), $("fresh"), $("play")]) button.disabled = false;
  if (!shown.palette.some(({ letter }) => letter === chosen)) chosen = shown.palette[1].letter;
  radios($("palette"), "piece", shown.palette.map(({ letter, words, colour }) => [letter, words, colour]), chosen, (letter) => {
    chosen = letter;
  });
  const turn = $("text").value.split(/\s+/)[1];
  radios($("to-move"), "turn", shown.seats.map(({ letter, title }) => [letter, `${title} to move`]), turn, (letter) => {
    const parts = $("text").value.split(/\s+/);
    parts[1] = letter;
    $("text").value = parts.join(" ");
    arrange($("text").value);
  });
}

function radios(box, name, choices, current, choose) {
  const focused = box.contains(document.activeElement) ? document.activeElement.value : null;
  box.replaceChildren(
    ...choices.map(([value, words, colour]) => {
      const label = document.createElement("label");
      const radio = document.createElement("input");
      radio.type = "radio";
      radio.name = `set-${name}`;
      radio.value = value;
      radio.checked = value === current;
      radio.addEventListener("change", () => choose(value));
      label.append(radio);
      if (colour) {
        const dot = document.createElement("span");
        dot.className = "dot";
        dot.style.background = colour;
        label.append(dot);
      }
      label.append(` ${words}`);
      return label;
    }),
  );
  if (focused !== null) box.querySelector(`input[value="${CSS.escape(focused)}"]`)?.focus();
}

function choose() {
  for (const group of document.querySelectorAll(".options")) group.hidden = group.dataset.kind !== $("game").value;
  arrange("");
}

$("game").addEventListener("change", choose);
for (const field of document.querySelectorAll("[data-option]")) field.addEventListener("change", () => arrange(""));
$("text").addEventListener("input", () => arrange($("text").value));
$("empty").addEventListener("click", () => {
  $("text").value = shown.empty;
  arrange(shown.empty);
});
$("fresh").addEventListener("click", () => arrange(""));
dark.addEventListener("change", () => arrange($("text").value));

$("new-study").addEventListener("submit", (event) => {
  for (const radio of event.target.querySelectorAll('input[type="radio"]')) radio.disabled = true;
});
window.addEventListener("pageshow", () => {
  for (const radio of document.querySelectorAll('input[type="radio"]')) radio.disabled = false;
});

$("play").addEventListener("click", async () => {
  const turn = shown.seats.findIndex(({ letter }) => letter === $("text").value.split(/\s+/)[1]);
  const seats = shown.seats.map((_, seat) => (seat === turn ? "person" : "level:3"));
  const body = { game: $("game").value, options: options(), seats, position: $("text").value };
  const made = await api("/api/games", "", body);
  if (made.error) return void ($("wrong").textContent = made.error);
  remember(made.id, made.secrets.filter(Boolean));
  location.href = made.url;
});

$("file").addEventListener("change", async () => {
  const [file] = $("file").files;
  if (file) $("record").value = await file.text();
});
$("import").addEventListener("click", async () => {
  $("message").textContent = "";
  const made = await api("/api/studies", "", { record: $("record").value });
  if (made.error) return void ($("message").textContent = made.error);
  remember(made.id, [made.secret]);
  location.href = made.url;
});

// An address may say what to begin with.
const wanted = new URLSearchParams(location.search);
for (const part of (wanted.get("options") ?? "").split(",").filter(Boolean)) {
  const [name, value] = part.split("=");
  const field = fields().find((one) => one.dataset.option === name);
  if (field) field.value = value;
}
for (const group of document.querySelectorAll(".options")) group.hidden = group.dataset.kind !== $("game").value;
$("text").value = wanted.get("position") ?? "";
arrange($("text").value).then(() => {
  if (!shown) arrange("");
});
