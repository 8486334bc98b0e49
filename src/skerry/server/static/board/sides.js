// From which side a board is seen. One's own side is below by itself, as the server draws it;
// whoever wants it the other way round wants it so in all games of that kind.

import { readText, writeText } from "../lib/storage.js";

/** @param {string} game its kind */
export function isFlipped(game) {
  return readText(keyOf(game)) === "yes";
}

/**
 * Turn all boards of a kind of game; whether they are the other way round now.
 *
 * @param {string} game
 */
export function flip(game) {
  const flipped = !isFlipped(game);
  writeText(keyOf(game), flipped ? "yes" : "");
  return flipped;
}

/** @param {string} game */
function keyOf(game) {
  return `skerry:flipped:${game}`;
}
