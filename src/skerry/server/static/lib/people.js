// What the server can be asked for about people, a function for each request.

import { ask, isRefusal, JSON_HEADERS, send, UNREACHABLE } from "./requests.js";

/** @import * as api from "./types.js" */

/** @returns {Promise<api.WhoDocument | api.Refusal>} */
export function fetchMe() {
  return ask("/api/me", {});
}

/**
 * Sign up, sign in, or sign in by a recovery code or a passkey.
 *
 * @param {"accounts" | "sessions" | "sessions/recovery" | "sessions/passkey"} how
 * @param {object} body
 * @returns {Promise<api.AccountDocument | api.Refusal>}
 */
export function enter(how, body) {
  return send(`/api/${how}`, body);
}

/**
 * Do something of which nothing comes back but whether it was done.
 *
 * @param {string} path
 * @param {"POST" | "PUT" | "PATCH" | "DELETE"} method
 * @param {object} [body]
 * @returns {Promise<string>} why not; empty if it was
 */
export async function perform(path, method, body) {
  const request = { method, headers: JSON_HEADERS, ...(body && { body: JSON.stringify(body) }) };
  try {
    const answer = await fetch(path, request);
    if (answer.ok) return "";
    const refusal = await answer.json();
    return isRefusal(refusal) ? refusal.error : UNREACHABLE;
  } catch {
    return UNREACHABLE;
  }
}

/**
 * New recovery codes.
 *
 * @param {string} password
 * @returns {Promise<api.CodesDocument | api.Refusal>}
 */
export function renewCodes(password) {
  return send("/api/account/codes", { password });
}

/**
 * Give the account seats that were taken as a guest.
 *
 * @param {{ id: string, secrets: string[] }[]} games
 * @returns {Promise<api.GamesMoved | api.Refusal>}
 */
export function moveGames(games) {
  return send("/api/account/games", { games });
}

/**
 * What a browser needs to make a passkey, or to sign in by one.
 *
 * @param {"account/passkeys" | "sessions/passkey"} what
 * @returns {Promise<api.PasskeyOptions | api.Refusal>}
 */
export function fetchPasskeyOptions(what) {
  return send(`/api/${what}/options`, {});
}

/**
 * @param {string} name
 * @param {"follow" | "block"} kind
 * @param {boolean} isWanted
 * @returns {Promise<api.TieDocument | api.Refusal>}
 */
export function tie(name, kind, isWanted) {
  const path = `/api/people/${encodeURIComponent(name)}/${kind}`;
  return ask(path, { method: isWanted ? "PUT" : "DELETE" });
}

export const VACATION = "/api/me/vacation";

/**
 * Whether one is on vacation, and how many days are left.
 *
 * @returns {Promise<api.VacationDocument | api.Refusal>}
 */
export function findVacation() {
  return ask(VACATION, {});
}

/**
 * The games of the account that go on.
 *
 * @returns {Promise<api.GameHeld[] | api.Refusal>}
 */
export function listOwn() {
  return ask("/api/games/mine", {});
}
