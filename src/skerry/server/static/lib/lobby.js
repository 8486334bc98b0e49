// The lobby as this browser knows it: what it waits for, and what has become of that.
//
// One secret serves everything that this browser waits for at a time. It is kept before it is sent,
// and opens the seat of the game that comes of it: nothing is lost if an answer is.

import { awaitGame } from "./alerts.js";
import { Live } from "./live.js";
import { recallName } from "./name.js";
import { ask, isRefusal, UNREACHABLE } from "./requests.js";
import { keepSecret, makeSecret, secretsOf } from "./secrets.js";
import { readJson, writeJson } from "./storage.js";

/** @import * as api from "./types.js" */

/** @typedef {{ people: number, open?: api.ChallengeDocument[], quick?: api.QuickDocument[] }} Lobby */
/** @typedef {{ type: "lobby", lobby: Lobby, mine: api.ChallengeDocument[] }} Told */

const KEY = "skerry:lobby";
const PATH = "/api/lobby";

/** @returns {{ secret: string, waits: boolean }} */
function recall() {
  const found = /** @type {{ secret?: unknown, waits?: unknown } | null} */ (readJson(KEY));
  const secret = typeof found?.secret === "string" ? found.secret : "";
  return { secret, waits: Boolean(secret && found?.waits) };
}

/** Whether this browser waits for somebody, as far as it knows. */
export function isWaiting() {
  return recall().waits;
}

/** The secret of what this browser waits for; none if it never has. */
export function lobbySecret() {
  return recall().secret;
}

/** The secret to wait with; it is another one once a game has come of it. */
function secretToWait() {
  const secret = lobbySecret() || makeSecret();
  writeJson(KEY, { secret, waits: true });
  return secret;
}

/**
 * @param {string} path
 * @param {object} body
 * @returns {Promise<api.ChallengeMade | api.Refusal>}
 */
async function come(path, body) {
  hearing.asking += 1; // what is told meanwhile does not know of it yet
  /** @type {api.ChallengeMade | api.Refusal} */
  const made = await post(path, { ...body, name: recallName(), secret: secretToWait() });
  hearing.asking -= 1;
  if (!isRefusal(made) && made.secret && made.challenge.state === "open") {
    awaitGame(made.challenge.id, made.secret);
  }
  return made;
}

/**
 * @param {string} path
 * @param {object} body
 * @param {string} [method]
 */
function post(path, body, method = "POST") {
  const headers = { "Content-Type": "application/json", "X-Seat": lobbySecret() };
  return ask(PATH + path, { method, headers, body: JSON.stringify(body) });
}

/** @param {api.NewChallenge} body */
export function makeChallenge(body) {
  return come("", body);
}

/** @param {api.NewSeek} body */
export function seekOpponent(body) {
  return come("/quick", body);
}

/** @param {string} id */
export function joinChallenge(id) {
  return come(`/${id}/join`, {});
}

/**
 * @param {string} id
 * @param {number | null} level
 * @returns {Promise<api.ChallengeDocument | api.Refusal>}
 */
export function fillSeats(id, level) {
  return post(`/${id}/fill`, { level });
}

/**
 * @param {string} id
 * @returns {Promise<api.ChallengeDocument | api.Refusal>}
 */
export function declineChallenge(id) {
  return post(`/${id}/decline`, {});
}

/**
 * Take a challenge back, or leave it to the others.
 *
 * @param {string} id
 * @returns {Promise<string>} why not; empty if all is well
 */
export async function leaveChallenge(id) {
  try {
    const headers = { "X-Seat": lobbySecret() };
    const answer = await fetch(`${PATH}/${id}`, { method: "DELETE", headers });
    return answer.ok ? "" : (await answer.json()).error;
  } catch {
    return UNREACHABLE;
  }
}

/** How many look for a game, in words; none if there is no answer. */
export async function countSeekers() {
  /** @type {api.SeekersDocument | api.Refusal} */
  const found = await ask(`${PATH}/count`, {});
  return isRefusal(found) ? "" : found.words;
}

/** What this page has heard of the lobby. */
class Hearing {
  constructor() {
    this.isFirst = true;
    /** @type {Set<string>} games that somebody here knows of */
    this.known = new Set();
    this.secret = "";
    this.asking = 0; // requests of ours on their way
  }

  /** What to show the lobby. */
  greet() {
    this.secret = lobbySecret() || this.secret;
    return this.secret ? [this.secret] : [];
  }

  /**
   * Keep the seats of games that have begun, and note whether anything still waits.
   *
   * @param {api.ChallengeDocument[]} mine
   * @returns {api.ChallengeDocument[]} those that are news to whoever looks at this page
   */
  settle(mine) {
    const begun = mine.filter(({ yours, url }) => yours && url && !this.known.has(url));
    const isWaiting = mine.some(({ yours, state }) => yours && state === "open");
    const news = begun.filter(({ url }) => this.takeSeat(url ?? "") || !this.isFirst);
    this.isFirst = false;
    const { secret, waits } = recall();
    if (!this.asking && !isWaiting && begun.length && secret === this.secret) {
      writeJson(KEY, { secret: "", waits: false });
    } else if (!this.asking && waits !== isWaiting) writeJson(KEY, { secret, waits: isWaiting });
    return news;
  }

  /**
   * Keep the seat in a game, unless this browser has it already.
   *
   * @param {string} url
   */
  takeSeat(url) {
    this.known.add(url);
    const id = url.split("/").pop() ?? "";
    if (!this.secret || secretsOf(id).length) return false;
    keepSecret(id, this.secret);
    return true;
  }
}

const hearing = new Hearing();

/**
 * Hear of the lobby now, and whenever it changes.
 *
 * @param {boolean} brief whether only what is one's own matters
 * @param {(told: Told, begun: api.ChallengeDocument[]) => void} listener is told what is news, too
 * @param {(isLost: boolean) => void} notice
 */
export function followLobby(brief, listener, notice = () => {}) {
  const hear = (/** @type {Told | { type: "error" }} */ told) => {
    if (told.type === "lobby") listener(told, hearing.settle(told.mine));
  };
  const greet = () => ({ type: "hello", secrets: hearing.greet(), brief });
  const live = new Live(`${PATH}/live`, { greet, hear, notice });
  live.connect();
  return live;
}
