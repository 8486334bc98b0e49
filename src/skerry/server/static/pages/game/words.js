// The sentences of a game page, without the DOM: what to do, how it ended, what others did.

import { sayMove } from "../../board/ways.js";
import { isEnglish, t, tn } from "../../lib/texts.js";
import { isYours } from "./state.js";

/** @import { GameDocument, Outcome, SeatDocument, Watching } from "../../lib/types.js" */

/**
 * What somebody is called in sentences: by name, or by the title of the seat.
 *
 * @param {SeatDocument | undefined} seat
 */
export function nameSeat(seat) {
  return seat?.who || seat?.title || "";
}

/**
 * The one sentence that says what to do, or what there is to wait for.
 *
 * @param {GameDocument} game
 * @param {object} at
 * @param {number} at.chosen how many parts of a move were pointed at
 * @param {boolean} at.isReady whether a whole move waits to be confirmed
 * @param {number | null} at.viewing the ply that is looked at, null for the game as it stands
 */
export function sayWhatToDo(game, { chosen, isReady, viewing }) {
  if (viewing !== null) {
    const at = { n: viewing, count: game.ply };
    return isYours(game, game.to_move)
      ? t("Looking back: move {n} of {count}; it is your turn", at)
      : t("Looking back: move {n} of {count}", at);
  }
  if (game.to_move === null) return sayHowItEnded(game);
  const seat = game.seats[game.to_move];
  if (!seat || game.seats.some(({ kind }) => kind === "open")) return game.words;
  if (isYours(game, seat.seat)) {
    const lead =
      game.yours.length === 1 ? t("Your turn") : t("{seat} to move", { seat: seat.title });
    return isReady ? t("{lead}: confirm the move", { lead }) : askFor(game, lead, chosen);
  }
  return sayWhomToWaitFor(game, seat);
}

/**
 * @param {GameDocument} game
 * @param {string} lead
 * @param {number} chosen
 */
function askFor({ prompts, can }, lead, chosen) {
  const what = prompts[chosen] ?? prompts.at(-1);
  if (!what) return lead;
  return can.includes("swap")
    ? t("{lead}: swap seats, or {what}", { lead, what })
    : t("{lead}: {what}", { lead, what });
}

/**
 * @param {GameDocument} game
 * @param {SeatDocument} seat
 */
function sayWhomToWaitFor(game, seat) {
  if (game.thinking) {
    const who = { name: nameSeat(seat) };
    return game.engine === "warming"
      ? t("{name} is warming up …", who)
      : t("{name} is thinking …", who);
  }
  if (!seat.claimed) return t("Waiting for somebody to play {seat}", { seat: seat.title });
  return game.yours.length
    ? t("Waiting for {name}", { name: nameSeat(seat) })
    : t("{seat} to move", { seat: nameSeat(seat) });
}

/**
 * What the swap rule means just now; nothing once both have moved.
 *
 * @param {GameDocument} game
 */
export function noteOnSwap(game) {
  const movers = new Set(game.moves.map(({ seat }) => seat));
  const due = game.to_move === null ? undefined : game.seats[game.to_move];
  const opener = game.seats[game.moves[0]?.seat ?? due?.seat ?? 0];
  if (!game.swap || movers.size > 1 || !due || !opener) return "";
  const isOneSide = game.yours.length === 1;
  if (game.swap === "done") {
    const seat = game.seats[game.yours[0] ?? 0]?.title ?? "";
    return isOneSide
      ? t("The seats were swapped: you play {seat} now.", { seat })
      : t("The seats were swapped.");
  }
  if (due === opener) {
    return isOneSide && !isYours(game, due.seat)
      ? t("Swap rule: after the first turn you may change sides.")
      : t("Swap rule: after the first turn the other player may change sides.");
  }
  if (isOneSide && isYours(game, due.seat)) {
    return t("Swap rule: you may take over {seat} and the move just made.", { seat: opener.title });
  }
  const said = { name: nameSeat(due), seat: opener.title };
  return t("Swap rule: {name} may take over {seat} and the move just made.", said);
}

/**
 * Why an engine takes so long that has never thought about such a board here.
 *
 * @param {GameDocument} game
 */
export function noteOnWarming({ thinking, engine, readiness }) {
  if (!thinking || engine !== "warming") return "";
  const done = { percent: readiness ?? 0 };
  return t("The engine gets ready for this board, once on a new server: {percent} %.", done);
}

/** @param {GameDocument} game */
export function sayHowItEnded(game) {
  const { outcome, seats, yours } = game;
  if (!outcome) return game.words;
  const reason = outcome.reason.charAt(0).toUpperCase() + outcome.reason.slice(1);
  const { winner } = outcome;
  const isOneSide = yours.length > 0 && yours.length < seats.length;
  if (winner === null || !isOneSide) return reason;
  const hasWon = isYours(game, winner);
  const score = hasWon ? writeScore(outcome, winner) : "";
  if (score) return t("You won {score}", { score });
  // Who won is said already where the reason is another one.
  const why = reason.replace(t(": {seat} wins", { seat: seats[winner]?.title ?? "" }), "");
  return hasWon
    ? t("You won: {why}", { why })
    : t("You lost: {why}", { why: sayToLoser(game, why) });
}

/**
 * Whoever resigned or ran out of time is not told so by the title of their seat.
 *
 * @param {GameDocument} game
 * @param {string} why
 */
function sayToLoser({ seats, yours }, why) {
  const own = yours.map((seat) => `${seats[seat]?.title} `).find((title) => why.startsWith(title));
  return own && isEnglish ? `you ${why.slice(own.length)}` : why; // verbs of others change as well
}

/**
 * The winner's score and then the others'; nothing where it is not the score that tells.
 *
 * @param {Outcome} outcome
 * @param {number} winner
 */
function writeScore({ score }, winner) {
  if (!score || new Set(score).size === 1) return "";
  const others = score.filter((_, seat) => seat !== winner).sort((a, b) => b - a);
  return [score[winner], ...others].join("-");
}

/**
 * What others have played since, for those who do not see the board.
 *
 * @param {GameDocument} before
 * @param {GameDocument} game
 */
export function tellMoves(before, game) {
  return game.moves
    .slice(before.ply)
    .filter(({ seat }) => !isYours(game, seat))
    .map((move) =>
      t("{seat} played {move}", {
        seat: game.seats[move.seat]?.title ?? "",
        move: sayMove(move),
      }),
    )
    .join(". ");
}

/**
 * What has happened besides moves: somebody left and an engine plays on, or somebody said something.
 *
 * @param {GameDocument} before
 * @param {GameDocument} game
 */
export function tellNews(before, game) {
  const gone = game.seats.filter(({ seat, left }) => left !== null && !before.seats[seat]?.left);
  const left = gone.map(({ seat, title, who }) => {
    const said = { seat: title, name: who.replace(/ for .*$/, "") };
    return isYours(before, seat)
      ? t("You have left: {name} plays on.", said)
      : t("{seat} has left: {name} plays on.", said);
  });
  const newest = game.chat.at(-1);
  const isNew = newest && newest.n > (before.chat.at(-1)?.n ?? -1);
  // Whoever sits down hears nothing of what was said before.
  const said = isNew && before.yours.length ? [`${newest.name}: ${newest.text}`] : [];
  return [...left, ...said].join(" ");
}

/**
 * Those who watch, in a sentence.
 *
 * @param {Watching} watching
 */
export function sayWhoWatches({ count, names }) {
  if (!count) return t("Nobody watches.");
  const others = count - names.length;
  const unnamed = tn("one guest", "{n} guests", others);
  const all = [...names, ...(others ? [unnamed] : [])];
  const last = all.pop() ?? "";
  const who = all.length ? t("{others} and {last}", { others: all.join(", "), last }) : last;
  return t("Watching: {names}", { names: who });
}

/**
 * Whether there is, or was, anybody to talk to.
 *
 * @param {GameDocument} game
 */
export function hasCompany(game) {
  const others = game.seats.filter(({ seat }) => !isYours(game, seat));
  return game.chat.length > 0 || others.some(({ kind }) => kind === "person");
}
