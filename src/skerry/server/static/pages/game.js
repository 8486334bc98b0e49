// The game page: one table, seen by a player or by somebody who watches.

import { listenForSteps, listenToButtons } from "../board/looking.js";
import { Pointing } from "../board/pointing.js";
import { seenLook, wishedLook } from "../board/sides.js";
import { changeGame, fetchBoard, previewMove } from "../lib/api.js";
import { Live } from "../lib/live.js";
import { recallName } from "../lib/name.js";
import { $, readDocument, settle, speak } from "../lib/page.js";
import { dark } from "../lib/preferences.js";
import { explainRefusal } from "../lib/reasons.js";
import { isRefusal, UNREACHABLE } from "../lib/requests.js";
import { secretsOf } from "../lib/secrets.js";
import { t } from "../lib/texts.js";
import {
  goToRematch,
  listenToDeeds,
  listenToView,
  renderButtons,
  renderNotes,
  showBoard,
} from "./game/controls.js";
import { renderInvitations, renewLink, sitDown, takeInvitation } from "./game/invitations.js";
import { renderMoves } from "./game/lists.js";
import { Plans } from "./game/plans.js";
import { renderClocks, renderRenewals, renderSeats } from "./game/seats.js";
import { isConfirming, isCounting, listenToSettings } from "./game/settings.js";
import { markTab, signalChange } from "./game/signals.js";
import { canPlayAhead, isYours } from "./game/state.js";
import { listenToTalk, renderTalk } from "./game/talk.js";
import { sayWhatToDo } from "./game/words.js";

/** @import { GameConflict, GameDocument, GameMessage, Refusal } from "../lib/types.js" */

const TICK = 250; // milliseconds

/** @type {GameDocument} */
let game = readDocument();
let heard = performance.now(); // when that was
/** @type {number | null} the ply that is looked at, null for the game as it stands */
let viewing = null;
let shownPly = game.ply;
let asking = 0; // the timer of a claim that is not possible yet

const board = new Pointing($("board"), {
  preview: (path, signal) => previewMove(game.id, path, seenLook(game), signal),
  play: ({ move }) => change("moves", { version: game.version, move }),
  changed: () => {
    say("");
    renderChoice();
  },
  refused: async (path) => {
    const { version } = game;
    const answer = await explainRefusal(game.id, path);
    if (version === game.version) say(isRefusal(answer) ? answer.error : answer.reason);
  },
  ahead: () => viewing === null && canPlayAhead(game),
  tell: (text) => say(text, "note"),
  speak,
  confirming: isConfirming,
  choices: $("choices"),
});

const plans = new Plans(board, {
  game: () => game,
  receive,
  say,
  render: () => {
    if (plans.isOn) viewing = null;
    render();
  },
});

// --- talking to the server

/**
 * Do something in the game; whether it was done.
 *
 * @param {"moves" | "actions" | "chat" | "gallery"} what
 * @param {object} body
 */
async function change(what, body) {
  say("");
  return finish(await changeGame(game.id, what, body, wishedLook(game.game)));
}

/**
 * What comes of it: the game as it stands, or why it was not done.
 *
 * @param {GameDocument | GameConflict | Refusal} answer
 */
function finish(answer) {
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
  const before = game;
  game = fresh;
  heard = performance.now();
  const isFurther = game.ply !== before.ply;
  if (isFurther) {
    plans.stop();
    board.clear();
    if (viewing !== null && viewing >= game.ply) viewing = null; // that move was taken back
  }
  if (game.turned !== before.turned) board.cancel();
  render();
  if (viewing !== null && game.turned !== before.turned) look(viewing);
  signalChange(before, game, sayNow(), say);
  if (!before.rematch && before.offers.rematch.some((seat) => isYours(game, seat)))
    goToRematch(game);
  if (isFurther || game.yours.length !== before.yours.length) plans.refresh(before);
}

/** @type {Live<GameMessage>} */
const live = new Live(`/api/games/${game.id}/live`, {
  greet: () => ({ type: "hello", secrets: secretsOf(game.id), ...wishedLook(game.game) }),
  hear: (message) => {
    if (message.type === "game") receive(message.game);
    if (message.type === "error") say(message.error);
  },
  notice: (isLost) => {
    $("connection").textContent = isLost ? t("Connection lost, trying again …") : "";
    if (!isLost && $("message").textContent === UNREACHABLE) say("");
  },
});

// --- what is on the page

/** @param {string} text */
function say(text, how = "") {
  $("message").textContent = text;
  $("message").dataset.how = how;
}

function isMyTurn() {
  return isYours(game, game.to_move) && viewing === null;
}

function render() {
  drawBoard();
  renderSeats($("seats"), game);
  renderNotes(game);
  renderMoves($("moves"), game, viewing ?? game.ply);
  renderButtons(game, isMyTurn(), viewing);
  renderChoice();
  renderInvitations(game);
  renderRenewals($("renewals"), game, renew);
  renderTalk(game);
  markTab(sayNow(), game.title, isYours(game, game.to_move));
  askAgain();
  tick();
}

/** How the game stands, whatever is chosen or looked at. */
function sayNow() {
  return sayWhatToDo(game, { chosen: 0, isReady: false, viewing: null });
}

function drawBoard() {
  const { legal, directions, seats, to_move: seat } = game;
  const mine = isMyTurn();
  $("board").classList.toggle("plain", !isCounting() && game.to_move !== null);
  if (plans.draw()) return;
  board.offer({ legal, directions, seats, mine, seat });
  $("moves-known").replaceChildren(...(mine ? legal : []).map(({ move }) => new Option(move)));
  if (viewing !== null) return;
  const path = game.ply === shownPly ? [] : game.moves.at(-1)?.path;
  shownPly = game.ply;
  board.rest(game.svg, path);
}

/** What to do, which depends on what is chosen. */
function renderChoice() {
  const { chosen, ready } = board.selection;
  const at = { chosen: chosen.length, isReady: ready !== null, viewing };
  const words = plans.words() || sayWhatToDo(game, at);
  if ($("words").textContent !== words) $("words").textContent = words;
  $("confirm").hidden = !ready;
  $("cancel").hidden = !board.isChoosing && board.ahead.isEmpty;
  $("back-to-game").hidden = viewing === null;
  plans.renderButtons(viewing === null);
  document.body.classList.toggle("looking-back", viewing !== null);
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
listenToSettings(game.game, drawBoard);
listenToView(game.game, board.zoom, () => live.greet());

// --- what can be done besides

listenToDeeds(act);
$("to-rematch").addEventListener("click", (event) => {
  event.preventDefault();
  goToRematch(game);
});

/** @param {string} action */
async function act(action) {
  await change("actions", { version: game.version, action });
  if (action === "rematch") goToRematch(game);
}

/** @param {number} seat */
async function renew(seat) {
  say(await renewLink(game.id, seat));
  render();
}

// --- looking back

$("moves").addEventListener("click", ({ target }) => {
  if (target instanceof HTMLElement && target.dataset.ply) look(Number(target.dataset.ply));
});
const place = { at: () => viewing ?? game.ply, last: () => game.ply, look };
listenToButtons(place);
// A wheel that is turned by accident does not end a plan.
const loose = { ...place, look: (/** @type {number} */ ply) => plans.isOn || look(ply) };
listenForSteps($("board"), $("table"), loose);
$("back-to-game").addEventListener("click", () => look(game.ply));

/** @param {number} ply */
async function look(ply) {
  plans.stop();
  viewing = ply === game.ply ? null : ply;
  showBoard();
  board.clear();
  drawBoard();
  if (viewing !== null) {
    const picture = await fetchBoard(game.id, ply, seenLook(game));
    if (picture && viewing === ply) board.put(picture);
  }
  renderMoves($("moves"), game, viewing ?? game.ply);
  renderButtons(game, isMyTurn(), viewing);
  renderChoice();
}

// --- talking to each other

listenToTalk(change, claim);

// --- the beginning

/** Sit down, if there is a seat for us. */
async function enter() {
  takeInvitation(game.id, async () => {
    await takeSeats();
    live.greet();
  });
  board.empty();
  render();
  await takeSeats();
  settle();
}

/** @param {string} name */
async function claim(name) {
  if (!secretsOf(game.id).length) return;
  const { answer, isTaken } = await sitDown(game.id, name, wishedLook(game.game));
  finish(answer);
  if (isTaken) live.greet(); // with what opens the seat from now on
}

function takeSeats() {
  return claim(recallName());
}

dark.addEventListener("change", () => live.greet());
enter().finally(() => live.connect());
setInterval(tick, TICK);
