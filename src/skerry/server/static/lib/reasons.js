// Why the rules forbid what somebody pointed at, as the server says it.

import { ask, send } from "./requests.js";

/** @import * as api from "./types.js" */

/**
 * Why no move begins with what was pointed at.
 *
 * @param {string} id
 * @param {string[]} path
 * @returns {Promise<api.ReasonDocument | api.Refusal>}
 */
export function explainRefusal(id, path) {
  return ask(`/api/games/${id}/reason?${new URLSearchParams({ path: path.join(",") })}`, {});
}

/**
 * Why no move begins with what was pointed at after some moves.
 *
 * @param {api.Trial & { path: string[] }} trial
 * @returns {Promise<api.ReasonDocument | api.Refusal>}
 */
export function explainTrial(trial) {
  return send("/api/positions/reason", trial);
}
