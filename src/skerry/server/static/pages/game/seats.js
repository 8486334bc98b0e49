// Strips above and below the board: who plays, what they have, and their clocks. The template has
// drawn them; here they are only told what changes, so that nothing jumps.

import { find, findAll, make, makeButton, readData } from "../../lib/page.js";
import { shareableSecrets } from "../../lib/secrets.js";
import { t } from "../../lib/texts.js";
import { formatClock } from "../../lib/time.js";
import { findTimeLeft, listRenewable, noteOnSeat, placeSeats, writeRating } from "./state.js";

/** @import { ClockDocument, GameDocument, SeatDocument } from "../../lib/types.js" */

const SHORT = 10_000; // milliseconds that are few

/**
 * @param {HTMLElement} list
 * @param {GameDocument} game
 */
export function renderSeats(list, game) {
  const { below, above } = placeSeats(game);
  for (const item of findAll(".seat", list)) {
    const seat = game.seats[Number(readData(item, "seat"))];
    if (!seat) continue;
    item.classList.toggle("below", seat.seat === below);
    item.classList.toggle("first", seat.seat === above[0]);
    item.classList.toggle("to-move", game.to_move === seat.seat);
    item.classList.toggle("away", seat.claimed && !seat.online);
    find(".name", item).textContent = seat.title;
    nameSitter(find(".who", item), seat);
    find(".rating", item).textContent = writeRating(seat);
    find(".rating", item).classList.toggle("changed", seat.rating_after !== null);
    find(".note", item).textContent = noteOnSeat(game, seat);
    find(".holding", item).textContent = seat.holding;
    find(".turn", item).textContent = game.to_move === seat.seat ? t("to move") : "";
  }
}

/**
 * The name of whoever sits there, which leads to their page if they have an account.
 *
 * @param {HTMLElement} place
 * @param {SeatDocument} seat
 */
function nameSitter(place, { who, person }) {
  const isLinked = Boolean(place.querySelector("a"));
  if (place.textContent === who && isLinked === Boolean(who && person)) return;
  if (!who || !person) place.textContent = who;
  else {
    const href = `/people/${encodeURIComponent(person.name)}`;
    place.replaceChildren(make("a", { href }, who));
  }
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

/**
 * Whoever made the game may give some seats to somebody else: the old link then means nothing.
 *
 * @param {HTMLElement} list
 * @param {GameDocument} game
 * @param {(seat: number) => unknown} renew makes a new link to a seat
 */
export function renderRenewals(list, game, renew) {
  const seats = listRenewable(game, shareableSecrets(game.id));
  const shown = seats.map(({ title }) => title).join();
  if (list.dataset.shown === shown) return;
  list.dataset.shown = shown;
  list.replaceChildren(
    ...seats.map(({ seat, title }) =>
      makeButton(t("New link for {seat}", { seat: title }), () => renew(seat)),
    ),
  );
}
