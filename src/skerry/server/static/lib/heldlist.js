// Your games as a list: whose turn it is, and how much time is left, which goes on by itself.

import { updateList } from "./gamelist.js";
import { t } from "./texts.js";
import { formatClock } from "./time.js";
import { follow, isYourTurn } from "./yours.js";

/** @import { GameHeld } from "./types.js" */

const TICK = 1000; // milliseconds

/** @param {GameHeld} game */
function nameOthers(game) {
  const others = game.seats.filter(({ seat }) => !game.yours.includes(seat));
  if (!others.length) return t("{game} at one screen", { game: game.title });
  return `${game.title}: ${others.map(({ name, title }) => name || title).join(", ")}`;
}

/**
 * @param {GameHeld} game
 * @param {number} since milliseconds since it was told
 */
export function describeTurn(game, since) {
  const turn = isYourTurn(game)
    ? t("Your turn")
    : t("{seat} to move", { seat: game.seats[game.to_move]?.title ?? t("Somebody") });
  if (game.left === null) return turn;
  return `${turn}, ${formatClock(Math.max(0, game.left - (game.running ? since : 0)))}`;
}

/**
 * Keep a list of your games up to date.
 *
 * @param {HTMLElement} list
 */
export function showHeld(list) {
  /** @type {GameHeld[]} */
  let games = [];
  let at = 0;
  const draw = () => {
    const since = performance.now() - at;
    const entries = games.map((game) => ({
      id: game.id,
      ply: game.ply,
      who: nameOthers(game),
      note: describeTurn(game, since),
      waits: isYourTurn(game),
    }));
    updateList(list, entries);
  };
  follow((found) => {
    [games, at] = [found, performance.now()];
    draw();
  });
  setInterval(draw, TICK);
}
