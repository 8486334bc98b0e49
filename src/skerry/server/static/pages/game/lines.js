// Planned answers as lines of moves, without the DOM: put together, and said in words.

import { t } from "../../lib/texts.js";
import { isYours } from "./state.js";
import { nameSeat } from "./words.js";

/** @import { BoardDocument, GameDocument, Ply } from "../../lib/types.js" */

const BY_DAYS = "days";

/**
 * Whether answers can be planned now: in a slow game against others, while one of them is to move.
 *
 * @param {GameDocument} game
 */
export function canPlan(game) {
  const isSlow = !game.clock || game.clock.settings.kind === BY_DAYS;
  const others = game.seats.filter(({ seat }) => !isYours(game, seat));
  const isLetter = others.some(({ kind }) => kind === "person" || kind === "bot");
  const isWaiting = game.to_move !== null && !isYours(game, game.to_move);
  return isSlow && isLetter && isWaiting && game.yours.length === 1;
}

/**
 * The lines with another one. Where it answers differently the new answer counts, and what it goes on
 * from is a part of it.
 *
 * @param {Ply[][]} lines
 * @param {Ply[]} line
 * @param {number} seat
 */
export function addLine(lines, line, seat) {
  return [...lines.filter((other) => !isReplaced(other, line, seat)), line];
}

/**
 * @param {Ply[]} old
 * @param {Ply[]} line
 * @param {number} seat
 */
function isReplaced(old, line, seat) {
  const parting = old.findIndex((ply, n) => ply.text !== line[n]?.text);
  if (parting === -1) return true; // it is the beginning of the new one
  return parting < line.length && old[parting]?.seat === seat;
}

/**
 * "If b2, then c3; if then d4, e5": others' moves and one's own answers in turn.
 *
 * @param {Ply[]} line
 * @param {number} seat whose answers they are
 */
export function writeLine(line, seat) {
  /** @type {{ isOwn: boolean, moves: string[] }[]} */
  const parts = [];
  for (const ply of line) {
    const isOwn = ply.seat === seat;
    const last = parts.at(-1);
    if (last?.isOwn === isOwn) last.moves.push(ply.text);
    else parts.push({ isOwn, moves: [ply.text] });
  }
  const said = parts.map(({ isOwn, moves }, n) => {
    const text = moves.join(" ");
    if (isOwn)
      return n === 1 ? t(", then {moves}", { moves: text }) : t(", {moves}", { moves: text });
    return n === 0 ? t("If {moves}", { moves: text }) : t("; if then {moves}", { moves: text });
  });
  return said.join("");
}

/**
 * What to do about a line that is being planned.
 *
 * @param {GameDocument} game
 * @param {BoardDocument} position where the line leads
 * @param {Ply[]} line
 */
export function askForMore(game, position, line) {
  const isWhole = isAnswered(game, position, line);
  const seat = position.to_move === null ? undefined : game.seats[position.to_move];
  if (!seat) return isWhole ? t("Plan: save this line") : t("Plan: the game would be over");
  if (isYours(game, seat.seat)) {
    return line.at(-1)?.seat === seat.seat
      ? t("Plan: finish your turn")
      : t("Plan: choose your answer");
  }
  const who = nameSeat(seat);
  return isWhole
    ? t("Plan: save this line, or go on with what {name} might play then", { name: who })
    : t("Plan: what might {name} play?", { name: who });
}

/**
 * Whether a line ends with a whole turn of one's own: only then there is something to keep.
 *
 * @param {GameDocument} game
 * @param {BoardDocument} position
 * @param {Ply[]} line
 */
export function isAnswered(game, position, line) {
  return isYours(game, line.at(-1)?.seat ?? null) && !isYours(game, position.to_move);
}

/**
 * What was played as planned since; empty if nothing was.
 *
 * @param {GameDocument} before
 * @param {GameDocument} game
 * @param {Ply[][]} lines that were kept
 */
export function tellPlanned(before, game, lines) {
  const moves = game.moves.slice(before.ply);
  const own = moves.filter(({ seat }) => isYours(game, seat)).map(({ text }) => text);
  const isPlanned = lines.some((line) => moves.every(({ text }, n) => text === line[n]?.text));
  return own.length && isPlanned
    ? t("Played as you planned: {moves}.", { moves: own.join(", ") })
    : "";
}
