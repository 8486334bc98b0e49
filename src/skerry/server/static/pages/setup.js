// Where a study begins: a game and its board, a position set up by hand, or a record.

import { show } from "../board/picture.js";
import { Pointing } from "../board/pointing.js";
import { createStudy, formatOptions, setUp } from "../lib/api.js";
import { readOptions, startGame, writeOptions } from "../lib/newgame.js";
import { $, find, findAll, make, readData, settle, speak } from "../lib/page.js";
import { dark, theme } from "../lib/preferences.js";
import { isRefusal } from "../lib/requests.js";
import { remember } from "../lib/secrets.js";
import { t } from "../lib/texts.js";

/** @import { Setup, SetupDocument } from "../lib/types.js" */

const LEVEL = "level:3"; // who plays the other seats
const NOTICED = 700; // milliseconds after which waiting needs a word

const game = $("game", HTMLSelectElement);
const text = $("text", HTMLInputElement);

let chosen = ""; // the letter that a click puts on a cell
/** @type {SetupDocument | null} the position as the server has it */
let shown = null;
let asked = 0; // counts what the server was asked, so that late answers are dropped

const board = new Pointing($("board"), {
  play: ({ move }) => arrange(text.value, [move, chosen]),
  speak,
});

/** The fields for the options of the game that is chosen. */
function findFields() {
  return find(`.options[data-kind="${game.value}"]`, document, HTMLDetailsElement);
}

/**
 * Show a position, the starting one if there is none, with something put on a cell.
 *
 * @param {string} position
 * @param {[cell: string, letter: string]} [put]
 */
async function arrange(position, put) {
  const number = ++asked;
  /** @type {Setup} */
  const body = { game: game.value, options: readOptions(findFields()), theme: theme() };
  if (position) body.position = position;
  if (put) body.put = put;
  const patience = setTimeout(() => say(t("Setting up the board …"), "note"), NOTICED);
  const answer = await setUp(body);
  clearTimeout(patience);
  if (number !== asked) return; // something else was wanted meanwhile
  $("options", HTMLInputElement).value = formatOptions(body.options);
  say(answer.error ?? "");
  if (!("svg" in answer)) return;
  shown = answer;
  if (!position || put) text.value = answer.position;
  board.offer({ legal: [], directions: {}, seats: [], mine: false }); // it may be another board now
  board.rest(answer.svg);
  const legal = [...board.scene.cells.keys()].map((name) => ({ move: name, path: [name] }));
  const seats = answer.seats.map(({ title }, seat) => ({ seat, title }));
  board.offer({ legal, directions: {}, seats, mine: true });
  render(answer);
}

/** @param {string} text */
function say(text, how = "") {
  $("wrong").textContent = text;
  $("wrong").dataset.how = how;
  if (text) settle(); // else it would not be seen yet
}

/** @param {SetupDocument} setup */
function render({ palette, seats }) {
  for (const id of ["empty", "fresh", "play"]) $(id, HTMLButtonElement).disabled = false;
  if (!palette.some(({ letter }) => letter === chosen)) chosen = palette[1]?.letter ?? "";
  const pieces = palette.map(({ letter, words, svg }) => ({ value: letter, words, svg }));
  const sayChosen = () => {
    const words = palette.find(({ letter }) => letter === chosen)?.words ?? "";
    $("chosen").textContent = t("A click puts: {piece}", { piece: words });
  };
  renderRadios($("palette"), "piece", pieces, chosen, (letter) => {
    chosen = letter;
    sayChosen();
  });
  sayChosen();
  const turns = seats.map(({ letter, title, svg, holding }) => {
    return { value: letter, words: t("{seat} to move", { seat: title }), svg, note: holding };
  });
  renderRadios($("to-move"), "turn", turns, readTurn(), (letter) => {
    const fields = text.value.split(/\s+/);
    fields[1] = letter;
    text.value = fields.join(" ");
    arrange(text.value);
  });
}

/** The letter of the seat to move, as the position text has it. */
function readTurn() {
  return text.value.split(/\s+/)[1];
}

/**
 * @param {HTMLElement} group
 * @param {string} name
 * @param {{ value: string, words: string, svg: string | null, note?: string }[]} choices
 * @param {string | undefined} current
 * @param {(value: string) => void} choose
 */
function renderRadios(group, name, choices, current, choose) {
  const active = document.activeElement;
  const isWithin = active instanceof HTMLInputElement && group.contains(active);
  const focused = isWithin ? active.value : null;
  group.replaceChildren(
    ...choices.map(({ value, words, svg, note }) => {
      const checked = value === current;
      const radio = make("input", { type: "radio", name: `set-${name}`, value, checked });
      radio.addEventListener("change", () => choose(value));
      const label = make("label", { title: words }, radio);
      if (svg) {
        const token = make("span", { className: "token" });
        show(token, svg);
        label.append(token);
      }
      label.append(make("span", { className: "words" }, words));
      if (note) label.append(make("span", { className: "soft" }, note));
      return label;
    }),
  );
  if (focused === null) return;
  findAll(`input[value="${CSS.escape(focused)}"]`, group)[0]?.focus();
}

function showOptions() {
  for (const group of findAll(".options")) group.hidden = readData(group, "kind") !== game.value;
}

game.addEventListener("change", () => {
  showOptions();
  arrange("");
});
for (const field of findAll("[data-option]")) {
  field.addEventListener("change", () => arrange(""));
  field.addEventListener("invalid", () => {
    findFields().open = true; // what is wrong has to be seen
  });
}
text.addEventListener("input", () => arrange(text.value));
$("empty").addEventListener("click", () => {
  if (!shown) return;
  text.value = shown.empty;
  arrange(shown.empty);
});
$("fresh").addEventListener("click", () => arrange(""));
dark.addEventListener("change", () => arrange(text.value));

// What the palette has chosen is no part of the form that is sent.
$("new-study").addEventListener("submit", () => disableRadios(true));
window.addEventListener("pageshow", () => disableRadios(false));

/** @param {boolean} disabled */
function disableRadios(disabled) {
  for (const radio of findAll('input[type="radio"]', document, HTMLInputElement)) {
    radio.disabled = disabled;
  }
}

$("play").addEventListener("click", async () => {
  const turn = readTurn();
  const seats = (shown?.seats ?? []).map(({ letter }) => (letter === turn ? "person" : LEVEL));
  const body = {
    game: game.value,
    options: readOptions(findFields()),
    seats,
    position: text.value,
  };
  say(await startGame(body));
});

$("file").addEventListener("change", async () => {
  const [file] = $("file", HTMLInputElement).files ?? [];
  if (file) $("record", HTMLTextAreaElement).value = await file.text();
});
$("import").addEventListener("click", async () => {
  $("message").textContent = "";
  const made = await createStudy({ record: $("record", HTMLTextAreaElement).value });
  if (isRefusal(made)) {
    $("message").textContent = made.error;
    return;
  }
  remember(made.id, [made.secret]);
  location.href = made.url;
});

// An address may say what to begin with.
const wanted = new URLSearchParams(location.search);
writeOptions(findFields(), wanted.get("options") ?? "");
findFields().open = wanted.has("options");
showOptions();
text.value = wanted.get("position") ?? "";
arrange(text.value)
  .then(() => (shown ? undefined : arrange("")))
  .finally(settle);
