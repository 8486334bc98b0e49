// What is done of the courses and the puzzles of a game; this browser alone knows.

import { readJson, writeJson } from "./storage.js";

/** @typedef {"lessons" | "puzzles"} Subject */

/**
 * @param {Subject} subject
 * @param {string} game
 */
const keyOf = (subject, game) => `skerry:${subject}:${game}`;

/**
 * The parts that are done: ids of lessons, numbers of puzzles.
 *
 * @param {Subject} subject
 * @param {string} game
 * @returns {Set<string | number>}
 */
export function listFinished(subject, game) {
  const found = readJson(keyOf(subject, game));
  return new Set(Array.isArray(found) ? found : []);
}

/**
 * @param {Subject} subject
 * @param {string} game
 * @param {string | number} part
 */
export function markFinished(subject, game, part) {
  writeJson(keyOf(subject, game), [...listFinished(subject, game).add(part)]);
}
