// Answers that a seat has planned: asked for and kept with its secret.

import { ask, send } from "./requests.js";
import { secretsOf } from "./secrets.js";

/** @import * as api from "./types.js" */

/**
 * @param {string} id
 * @returns {Promise<api.ConditionsDocument | api.Refusal>}
 */
export function fetchConditions(id) {
  return ask(`/api/games/${id}/conditions`, { headers: { "X-Seat": secretsOf(id).join(",") } });
}

/**
 * @param {string} id
 * @param {api.NewConditions} body
 * @returns {Promise<api.ConditionsDocument | api.GameConflict | api.Refusal>}
 */
export function keepConditions(id, body) {
  return send(`/api/games/${id}/conditions`, body, id, "PUT");
}
