// What was chosen last about a new game; this browser alone knows, game by game.

import { readJson, writeJson } from "./storage.js";

/**
 * The values of a form by the names of its fields, options of the game among them.
 *
 * @typedef {Record<string, string>} Choice
 */

/** @param {string} game */
const keyOf = (game) => `skerry:choice:${game}`;

/**
 * @param {string} game
 * @returns {Choice}
 */
export function lastChoice(game) {
  const found = readJson(keyOf(game));
  if (!found || typeof found !== "object") return {};
  return Object.fromEntries(Object.entries(found).filter(([, value]) => typeof value === "string"));
}

/**
 * @param {string} game
 * @param {Choice} choice
 */
export function keepChoice(game, choice) {
  writeJson(keyOf(game), choice);
}
