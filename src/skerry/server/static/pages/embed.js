// A board within the page of somebody else: a game that is followed live, or a line to go through.

import { listenForSteps, listenToButtons } from "../board/looking.js";
import { show } from "../board/picture.js";
import { fetchBoard, tryMoves } from "../lib/api.js";
import { Live } from "../lib/live.js";
import { $, find, findAll, readData, readDocument } from "../lib/page.js";
import { dark, theme } from "../lib/preferences.js";
import { isRefusal } from "../lib/requests.js";
import { t } from "../lib/texts.js";

/** @import { GameDocument, GameMessage, Trial } from "../lib/types.js" */

/**
 * @typedef {object} Embedded
 * @property {string[]} moves
 * @property {string} [id] of a game that may go on
 * @property {string[]} [said] of each position, if this is a line that somebody explains
 * @property {Omit<Trial, "moves" | "theme">} [line] where such a line begins
 */

/** @type {Embedded} */
const shown = readDocument();
let words = $("words").textContent ?? "";
let at = shown.moves.length;
let asked = 0; // counts what the server was asked, so that late answers are dropped
const place = { at: () => at, last: () => shown.moves.length, look };

/** @param {number} ply */
async function fetchPly(ply) {
  if (shown.id) return fetchBoard(shown.id, ply, { theme: theme(), turned: false });
  if (!shown.line) return null;
  const trial = { ...shown.line, moves: shown.moves.slice(0, ply), theme: theme() };
  const answer = await tryMoves(trial);
  return isRefusal(answer) ? null : answer.svg;
}

/** @param {number} ply */
async function look(ply) {
  at = ply;
  render();
  const number = ++asked;
  const picture = await fetchPly(ply);
  if (picture && number === asked) show($("board"), picture);
}

function render() {
  const last = shown.moves.length;
  $("at").textContent = t("{n} of {count}", { n: at, count: last });
  $("words").textContent =
    at === last
      ? words
      : at
        ? t("Move {n}: {move}", { n: at, move: shown.moves[at - 1] ?? "" })
        : t("Start");
  const said = shown.said?.[at] ?? "";
  $("said").textContent = said;
  $("said").hidden = !said;
  for (const button of findAll("[data-go]", document, HTMLButtonElement)) {
    const isBack = ["first", "back"].includes(readData(button, "go"));
    button.disabled = at === (isBack ? 0 : last);
  }
}

/** @param {GameDocument} game */
function receive(game) {
  const isFollowed = at === shown.moves.length;
  shown.moves = game.moves.map(({ text }) => text);
  words = game.words;
  for (const [seat, item] of findAll("#seats .who").entries()) {
    item.textContent = game.seats[seat]?.who || game.seats[seat]?.title || "";
  }
  if (isFollowed || at > shown.moves.length) {
    at = shown.moves.length;
    asked += 1; // whatever is on its way is older
    show($("board"), game.svg, game.moves.at(-1)?.path);
  }
  render();
}

listenToButtons(place);
listenForSteps($("board"), $("board"), place);
find("footer .bar").hidden = false;
render();

if (shown.id) {
  /** @type {Live<GameMessage>} */
  const live = new Live(`/api/games/${shown.id}/live`, {
    greet: () => ({ type: "hello", secrets: [], theme: theme(), flipped: false }),
    hear: (message) => {
      if (message.type === "game") receive(message.game);
    },
    notice: (isLost) => $("board").toggleAttribute("data-lost", isLost),
  });
  dark.addEventListener("change", () => live.greet());
  live.connect();
}
dark.addEventListener("change", () => look(at));
