// What a game document means for whoever looks at it, without the DOM.

import { t } from "../../lib/texts.js";
import { formatDay } from "../../lib/time.js";

/** @import { ClockDocument, GameDocument, SeatDocument } from "../../lib/types.js" */

const PERSON = "person";

/**
 * @param {GameDocument} game
 * @param {number | null} seat
 */
export function isYours(game, seat) {
  return seat !== null && game.yours.includes(seat);
}

/**
 * Whether a move may be chosen while somebody else is to move.
 *
 * @param {GameDocument} game
 */
export function canPlayAhead(game) {
  return game.yours.length > 0 && game.to_move !== null && !isYours(game, game.to_move);
}

/**
 * Whose strip is where: the first of one's own seats is below the board, the others are above it, in
 * the order in which they move next. Whoever watches sits with the first seat.
 *
 * @param {GameDocument} game
 * @returns {{ below: number, above: number[] }}
 */
export function placeSeats({ seats, yours }) {
  const below = yours[0] ?? 0;
  const above = seats.slice(1).map((_, i) => (below + 1 + i) % seats.length);
  return { below, above };
}

/**
 * Who or what is in a seat, in a word or two.
 *
 * @param {GameDocument} game
 * @param {SeatDocument} seat
 */
export function noteOnSeat(game, seat) {
  if (seat.away) return t("on vacation until {date}", { date: formatDay(seat.away) });
  if (isYours(game, seat.seat)) return t("you");
  if (seat.kind !== PERSON) return isTold(seat) ? "" : sayKind(seat);
  if (!seat.claimed) return t("open seat");
  return seat.online ? t("here") : t("away");
}

/**
 * What plays there, as people call it.
 *
 * @param {SeatDocument} seat
 */
function sayKind({ kind }) {
  const [, level] = kind.split(":");
  if (level) return t("level {n}", { n: level });
  return kind === "bot" ? t("bot") : kind;
}

/**
 * Whether the name of a seat says already what sits there.
 *
 * @param {SeatDocument} seat
 */
function isTold(seat) {
  return seat.who.toLowerCase().startsWith(sayKind(seat).toLowerCase());
}

/**
 * The rating of whoever is in a seat of a rated game, and once it is over what it has become.
 *
 * @param {SeatDocument} seat
 */
export function writeRating({ rating, rating_after: after, provisional }) {
  if (rating === null) return "";
  const mark = provisional ? "?" : "";
  return after === null ? `${rating}${mark}` : `${rating} → ${after}${mark}`;
}

/**
 * What became of what you asked for, in a sentence or two.
 *
 * @param {GameDocument} game
 */
export function noteOnOffers(game) {
  const { draw, takeback, rematch, declined } = game.offers;
  const notes = declined
    .filter(({ seat }) => game.to_move !== null && isYours(game, seat))
    .map(({ what, by }) => {
      const seat = game.seats[by]?.title ?? "";
      return what === "draw"
        ? t("{seat} declined the draw.", { seat })
        : t("{seat} declined the takeback.", { seat });
    });
  if (isYours(game, draw)) notes.push(t("You have offered a draw."));
  if (isYours(game, takeback)) notes.push(t("You have asked to take your move back."));
  if (!game.rematch) notes.push(...noteOnRematch(game, rematch));
  return notes.join(" ");
}

/**
 * @param {GameDocument} game
 * @param {number[]} wanting the seats that want a rematch
 */
function noteOnRematch(game, wanting) {
  if (wanting.some((seat) => isYours(game, seat))) {
    return [t("You want a rematch. It begins when everybody does.")];
  }
  const names = wanting.map((seat) => game.seats[seat]?.who || game.seats[seat]?.title);
  return names.map((name) => t("{name} wants a rematch.", { name: name ?? "" }));
}

/**
 * What can be done about a game besides moving.
 *
 * @param {GameDocument} game
 */
export function listDeeds(game) {
  const can = (/** @type {string} */ action) => game.can.includes(action);
  const hasOthers = game.seats.some((seat) => seat.kind === PERSON && !isYours(game, seat.seat));
  const isPlaying = game.yours.length > 0 && game.to_move !== null;
  // A turn that is not finished is nobody else's business.
  const isUnfinished = game.moves.at(-1)?.seat === game.to_move && isYours(game, game.to_move);
  return {
    isPlaying,
    takeback: can("ask-takeback"),
    takebackWords: isUnfinished ? t("Undo") : hasOthers ? t("Ask to take back") : t("Take back"),
    answerTakeback: can("accept-takeback"),
    mayAgree: isPlaying && hasOthers && game.seats.length === 2, // whether draws are offered at all
    draw: hasOthers && can("offer-draw") && !can("accept-draw"),
    answerDraw: can("accept-draw"),
    resign: can("resign"),
    resignWords: leavesOthers(game)
      ? t("Resign this game? The others play on; for your rating it is lost.")
      : t("Resign this game?"),
    rematch: can("rematch") && game.yours.length > 0 && !game.rematch,
    analyse: game.to_move === null,
  };
}

/**
 * Whether others play on a rated game when you resign, so that you alone have lost it.
 *
 * @param {GameDocument} game
 */
function leavesOthers({ rated, seats, moves, yours }) {
  const haveMoved = new Set(moves.map(({ seat }) => seat)).size === seats.length;
  const isOther = (/** @type {SeatDocument} */ { kind, seat }) =>
    (kind === PERSON || kind === "bot") && !yours.includes(seat);
  return rated && seats.length > 2 && haveMoved && seats.some(isOther);
}

/**
 * Seats that somebody may still be invited to, by whoever has their secrets.
 *
 * @param {GameDocument} game
 * @param {Record<string, string | null>} shareable
 * @returns {{ seat: SeatDocument, secret: string }[]}
 */
export function listInvitations(game, shareable) {
  return game.seats.flatMap((seat) => {
    const secret = shareable[seat.seat];
    const isFree = seat.kind === PERSON && !seat.claimed && !isYours(game, seat.seat);
    return secret && isFree ? [{ seat, secret }] : [];
  });
}

/**
 * Whether you have moved since a ply, or no move is to be made any more.
 *
 * @param {GameDocument} game
 * @param {number} ply
 */
export function hasMovedSince(game, ply) {
  return game.to_move === null || game.moves.slice(ply).some(({ seat }) => isYours(game, seat));
}

/**
 * Seats that whoever made the game may give to somebody else: whoever came has not moved there yet,
 * or has left.
 *
 * @param {GameDocument} game
 * @param {Record<string, string | null>} shareable
 */
export function listRenewable(game, shareable) {
  return game.seats.filter(({ seat, claimed }) => {
    const isPlaying = game.moves.some((move) => move.seat === seat);
    const hasLeft = game.absent?.seat === seat && game.absent.wait === 0;
    return shareable[seat] && claimed && !isYours(game, seat) && (!isPlaying || hasLeft);
  });
}

/**
 * The milliseconds that a seat has left; null without a clock.
 *
 * @param {ClockDocument} clock
 * @param {number} seat
 * @param {number} elapsed milliseconds since the clock was read
 */
export function findTimeLeft({ remaining, running, grace }, seat, elapsed) {
  const left = remaining[seat] ?? null;
  return left === null || running !== seat ? left : left - Math.max(0, elapsed - grace);
}
