// The game page: one table, seen by a player or by somebody who watches.

import { Pointing } from "../board/pointing.js";
import { changeGame, fetchBoard, isRefusal, previewMove, revokeSecret } from "../lib/api.js";
import { Live } from "../lib/live.js";
import { $, findAll, readData, readDocument, speak } from "../lib/page.js";
import { dark, theme } from "../lib/preferences.js";
import { adoptSecret, keepSecret, remember, secretsOf, shareableSecrets } from "../lib/secrets.js";
import { readText, writeText } from "../lib/storage.js";
import { renderDeeds } from "./game/deeds.js";
import { askWhetherToSit, renderInvitations } from "./game/invitations.js";
import { renderChat, renderMoves } from "./game/lists.js";
import { renderClocks, renderSeats } from "./game/seats.js";
import { isYours, noteOnEngine, noteOnOffers } from "./game/state.js";

/** @import { GameDocument, GameMessage } from "../lib/types.js" */

const TICK = 250; // milliseconds
const [NAME, CONFIRM] = ["skerry:name", "skerry:confirm"]; // what is remembered

/** @type {GameDocument} */
let game = readDocument();
let heard = performance.now(); // when that was
/** @type {number | null} the ply that is looked at, null for the game as it stands */
let viewing = null;
let shownPly = game.ply;
let asking = 0; // the timer of a claim that is not possible yet

const box = $("board");
const nameField = $("name", HTMLInputElement);
const chatField = $("chat-text", HTMLInputElement);
const confirming = $("confirming", HTMLInputElement);

const board = new Pointing(box, {
  preview: (path, signal) => previewMove(game.id, path, theme(), signal),
  play: ({ move }) => change("moves", { version: game.version, move }),
  changed: renderButtons,
  speak,
  confirming: () => confirming.checked,
  choices: $("choices"),
});

// --- talking to the server

/**
 * Do something in the game; whether it was done.
 *
 * @param {"moves" | "actions" | "claim" | "chat"} what
 * @param {object} body
 */
async function change(what, body) {
  say("");
  const answer = await changeGame(game.id, what, body);
  if (!isRefusal(answer)) {
    receive(answer);
    return true;
  }
  // Somebody may have been faster: then this is how it stands.
  if ("game" in answer && answer.game) receive(answer.game);
  else if (viewing === null) board.rest(game.svg);
  say(answer.error);
  return false;
}

/** @param {GameDocument} fresh */
function receive(fresh) {
  if (fresh.revision < game.revision) return; // overtaken on the way
  const moved = fresh.ply !== game.ply;
  game = fresh;
  heard = performance.now();
  if (moved) {
    board.clear();
    viewing = null;
  }
  render();
}

/** @type {Live<GameMessage>} */
const live = new Live(`/api/games/${game.id}/live`, {
  greet: () => ({ type: "hello", secrets: secretsOf(game.id), theme: theme() }),
  hear: (message) => {
    if (message.type === "game") receive(message.game);
    if (message.type === "error") say(message.error);
  },
  notice: (isLost) => {
    $("connection").textContent = isLost ? "Connection lost, trying again …" : "";
  },
});

// --- what is on the page

/** @param {string} text */
function say(text) {
  $("message").textContent = text;
}

function isMyTurn() {
  return isYours(game, game.to_move) && viewing === null;
}

function render() {
  drawBoard();
  $("words").textContent = game.words;
  $("thinking").textContent = noteOnEngine(game);
  $("offers").textContent = noteOnOffers(game);
  renderSeats($("seats"), game, renew);
  renderMoves($("moves"), game, viewing ?? game.ply);
  renderButtons();
  renderInvitations(game);
  renderChat($("chat"), game);
  askAgain();
  tick();
}

function drawBoard() {
  const { legal, directions, seats } = game;
  const mine = isMyTurn();
  board.offer({ legal, directions, seats, mine });
  $("moves-known").replaceChildren(...(mine ? legal : []).map(({ move }) => new Option(move)));
  if (viewing !== null) return;
  const path = game.ply === shownPly ? [] : game.moves.at(-1)?.path;
  shownPly = game.ply;
  board.rest(game.svg, path);
}

function renderButtons() {
  renderDeeds(game);
  $("analyse", HTMLAnchorElement).hash = viewing === null ? "" : `p=${viewing}`;
  $("confirm").hidden = !board.selection.ready;
  $("cancel").hidden = !board.isChoosing;
  $("type").hidden = !isMyTurn();
  $("back-to-game").hidden = viewing === null;
}

/** Look again when somebody has been away for so long that the others may claim. */
function askAgain() {
  clearTimeout(asking);
  if (game.absent?.wait) asking = setTimeout(() => live.greet(), game.absent.wait);
}

function tick() {
  if (game.clock) renderClocks($("seats"), game.clock, performance.now() - heard);
}

// --- moving

$("confirm").addEventListener("click", () => board.confirm());
$("cancel").addEventListener("click", () => board.cancel());
$("type").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = $("typed", HTMLInputElement);
  const done = await change("moves", { version: game.version, move: field.value });
  if (done) field.value = "";
});
$("flip").addEventListener("click", () => {
  $("flip").setAttribute("aria-pressed", String(box.classList.toggle("flipped")));
});
confirming.addEventListener("change", () => writeText(CONFIRM, confirming.checked ? "yes" : ""));
confirming.checked = Boolean(readText(CONFIRM));

// --- what can be done besides

$("takeback").addEventListener("click", () => act("ask-takeback"));
$("resign").addEventListener("click", () => {
  if (window.confirm("Resign this game?")) act("resign");
});
$("offer-draw").addEventListener("click", () => act("offer-draw"));
$("rematch").addEventListener("click", () => act("rematch"));
for (const button of findAll("[data-action]")) {
  button.addEventListener("click", () => act(readData(button, "action")));
}
$("to-rematch").addEventListener("click", (event) => {
  event.preventDefault();
  goToRematch();
});

/** @param {string} action */
async function act(action) {
  await change("actions", { version: game.version, action });
  if (action === "rematch") goToRematch();
}

/** Seats are rotated, but everybody keeps their secret. */
function goToRematch() {
  if (!game.rematch) return;
  remember(game.rematch.slice("/g/".length), secretsOf(game.id));
  location.href = game.rematch;
}

/** @param {number} seat */
async function renew(seat) {
  const answer = await revokeSecret(game.id, seat);
  if (isRefusal(answer)) return void say(answer.error);
  const shareable = { ...shareableSecrets(game.id), [seat]: answer.secret };
  remember(game.id, secretsOf(game.id), shareable);
  $("links").replaceChildren();
  render();
}

// --- looking back

$("moves").addEventListener("click", ({ target }) => {
  if (target instanceof HTMLElement && target.dataset.ply) look(Number(target.dataset.ply));
});
for (const button of findAll("[data-go]")) {
  button.addEventListener("click", () => {
    const at = viewing ?? game.ply;
    /** @type {Record<string, number>} */
    const goals = { first: 0, back: at - 1, on: at + 1, last: game.ply };
    look(goals[readData(button, "go")] ?? at);
  });
}
$("back-to-game").addEventListener("click", () => look(game.ply));

/** @param {number} ply */
async function look(ply) {
  if (ply < 0 || ply > game.ply) return;
  viewing = ply === game.ply ? null : ply;
  board.clear();
  drawBoard();
  if (viewing !== null) {
    const picture = await fetchBoard(game.id, ply, theme());
    if (picture && viewing === ply) board.put(picture);
  }
  renderMoves($("moves"), game, viewing ?? game.ply);
  renderButtons();
}

// --- talking to each other

$("chat-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const text = chatField.value;
  if (chatField.disabled || !text.trim()) return; // or it would be sent twice
  chatField.disabled = true;
  const done = await change("chat", { text });
  chatField.disabled = false;
  if (done) chatField.value = "";
  if (document.activeElement === document.body) chatField.focus(); // nobody went on elsewhere
});

$("name-form").addEventListener("submit", (event) => {
  event.preventDefault();
  writeText(NAME, nameField.value);
  change("claim", { name: nameField.value });
});

// --- the beginning

/** Sit down, if there is a seat for us. */
async function enter() {
  const invitation = adoptSecret(game.id);
  board.empty();
  render();
  nameField.value = readText(NAME) ?? "";
  if (invitation) {
    askWhetherToSit(async () => {
      keepSecret(game.id, invitation);
      await sitDown();
      live.greet();
    });
  }
  await sitDown();
}

async function sitDown() {
  if (secretsOf(game.id).length) await change("claim", { name: nameField.value });
  $("name-form").hidden = game.yours.length === 0;
  $("chat-form").hidden = game.yours.length === 0;
}

dark.addEventListener("change", () => live.greet());
enter().finally(() => live.connect());
setInterval(tick, TICK);
