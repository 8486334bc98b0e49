// What strong players played, as the server knows it.

import { ask } from "./requests.js";

/** @import * as api from "./types.js" */

/**
 * Where moves lead, and what was played there.
 *
 * @param {string} game
 * @param {{ options: string, start: string, moves: string, theme: api.Theme, turned: string }} asked
 * @returns {Promise<api.OpeningsDocument | api.Refusal>}
 */
export function lookUp(game, asked) {
  return ask(`/api/openings/${game}?${new URLSearchParams(asked)}`, {});
}
