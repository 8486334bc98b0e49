// From which side a board is seen. One's own side is below by itself, as the server draws it;
// whoever wants it the other way round wants it so in all games of that kind.

import { theme } from "../lib/preferences.js";
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

/**
 * How boards of a kind of game are to be drawn.
 *
 * @param {string} game
 */
export function wishedLook(game) {
  return { theme: theme(), flipped: isFlipped(game) };
}

/**
 * How a board is drawn now.
 *
 * @param {{ turned: boolean }} shown
 */
export function seenLook({ turned }) {
  return { theme: theme(), turned };
}

/** @param {string} game */
function keyOf(game) {
  return `skerry:flipped:${game}`;
}
