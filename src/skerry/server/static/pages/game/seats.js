// Who plays, with their clocks.

import { findAll, make, makeButton, readData } from "../../lib/page.js";
import { shareableSecrets } from "../../lib/secrets.js";
import { formatClock } from "../../lib/time.js";
import { findTimeLeft, isYours, noteOnSeat } from "./state.js";

/** @import { ClockDocument, GameDocument, SeatDocument } from "../../lib/types.js" */

const SHORT = 10_000; // milliseconds that are few

/**
 * @param {HTMLElement} list
 * @param {GameDocument} game
 * @param {(seat: number) => unknown} renew makes a new link to a seat
 */
export function renderSeats(list, game, renew) {
  const shareable = shareableSecrets(game.id);
  list.replaceChildren(
    ...game.seats.map((seat) => {
      const item = renderSeat(game, seat);
      // Whoever made the game may give a seat to somebody else: the old link then means nothing.
      if (shareable[seat.seat] && seat.claimed && !isYours(game, seat.seat)) {
        item.append(makeButton("New link", () => renew(seat.seat), { className: "renew" }));
      }
      return item;
    }),
  );
}

/**
 * @param {GameDocument} game
 * @param {SeatDocument} seat
 */
function renderSeat(game, seat) {
  const time = make("time");
  time.dataset.seat = String(seat.seat);
  const item = make(
    "li",
    { className: `seat seat-${seat.seat}` },
    make("span", { className: "name" }, seat.name ? `${seat.title}: ${seat.name}` : seat.title),
    make("span", { className: "note" }, noteOnSeat(game, seat)),
    time,
  );
  item.classList.toggle("to-move", game.to_move === seat.seat);
  return item;
}

/**
 * @param {HTMLElement} list
 * @param {ClockDocument} clock
 * @param {number} elapsed milliseconds since it was read
 */
export function renderClocks(list, clock, elapsed) {
  for (const time of findAll("time", list)) {
    const left = findTimeLeft(clock, Number(readData(time, "seat")), elapsed);
    if (left === null) continue;
    time.textContent = formatClock(Math.max(0, left));
    time.classList.toggle("short", left < SHORT);
  }
}
