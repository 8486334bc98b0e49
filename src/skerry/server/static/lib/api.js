// What the server can be asked for, a function for each request.

import {
  ask,
  fetchPicture,
  glance,
  isRefusal,
  JSON_HEADERS,
  readLines,
  send,
  UNREACHABLE,
} from "./requests.js";
import { secretsOf } from "./secrets.js";

/** @import * as api from "./types.js" */

// --- games

/**
 * @param {api.NewGame} body
 * @returns {Promise<api.GameMade | api.Refusal>}
 */
export function createGame(body) {
  return send("/api/games", body);
}

/**
 * Public games that have begun, those that changed last first; null if there is no answer.
 *
 * @param {number} limit
 * @returns {Promise<api.GameListed[] | null>}
 */
export async function listPlayed(limit) {
  const found = await ask(`/api/games?state=playing&plies=1&limit=${limit}`, {});
  return isRefusal(found) ? null : found;
}

/**
 * The games among these that go on, as whoever has the secrets sees them.
 *
 * @param {{ id: string, secrets: string[] }[]} games
 * @returns {Promise<api.GameHeld[] | api.Refusal>}
 */
export function listHeld(games) {
  return send("/api/games/mine", { games });
}

/**
 * Do something in a game: `what` is moves, actions, chat, or gallery for those who watch.
 *
 * @param {string} id
 * @param {"moves" | "actions" | "chat" | "gallery"} what
 * @param {object} body
 * @param {{ theme: api.Theme, flipped: boolean }} look how the board is to be drawn
 * @returns {Promise<api.GameDocument | api.GameConflict | api.Refusal>}
 */
export function changeGame(id, what, body, { theme, flipped }) {
  return send(`/api/games/${id}/${what}?theme=${theme}&flipped=${flipped}`, body, id);
}

/**
 * Sit down on all seats that we have secrets of. Those that are somebody's link are opened by
 * another from now on.
 *
 * @param {string} id
 * @param {{ name: string, secret: string }} body
 * @param {{ theme: api.Theme, flipped: boolean }} look
 * @returns {Promise<api.GameClaimed | api.Refusal>}
 */
export function claimSeats(id, body, { theme, flipped }) {
  return send(`/api/games/${id}/claim?theme=${theme}&flipped=${flipped}`, body, id);
}

/**
 * A new secret for a seat: the old one means nothing from now on.
 *
 * @param {string} id
 * @param {number} seat
 * @returns {Promise<api.SecretDocument | api.Refusal>}
 */
export function revokeSecret(id, seat) {
  return send(`/api/games/${id}/revoke`, { seat }, id);
}

/**
 * @param {string} id
 * @param {string[]} path
 * @param {{ theme: api.Theme, turned: boolean }} look
 * @param {AbortSignal} signal
 * @returns {Promise<api.PreviewDocument | null>}
 */
export function previewMove(id, path, { theme, turned }, signal) {
  const query = new URLSearchParams({ path: path.join(","), theme, turned: String(turned) });
  return glance(`/api/games/${id}/preview?${query}`, { signal });
}

/**
 * The board of a game after so many plies.
 *
 * @param {string} id
 * @param {number} ply
 * @param {{ theme: api.Theme, turned: boolean }} look
 */
export async function fetchBoard(id, ply, { theme, turned }) {
  const address = `/api/games/${id}/board.svg?ply=${ply}&theme=${theme}&turned=${turned}&live=true`;
  return (await fetchPicture(address))?.text() ?? null;
}

/**
 * The link to a seat as a QR code.
 *
 * @param {string} id
 * @param {number} seat
 * @param {string} secret
 */
export async function fetchCode(id, seat, secret) {
  const answer = await fetchPicture(`/api/games/${id}/qr`, {
    method: "POST",
    headers: { ...JSON_HEADERS, "X-Seat": secret },
    body: JSON.stringify({ seat }),
  });
  return answer ? answer.text() : null;
}

/**
 * A picture of the game that lives on the start page, and what was pointed at to get there.
 *
 * @param {string} game
 * @param {number} number
 * @param {api.Theme} theme
 */
export async function fetchFrame(game, number, theme) {
  const answer = await fetchPicture(`/showcase/${game}/${number}.svg?theme=${theme}`);
  if (!answer) return null;
  const path = answer.headers.get("X-Path");
  return { svg: await answer.text(), path: path ? path.split(",") : [] };
}

/**
 * The answers that one's seat has planned.
 *
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

// --- positions

/**
 * Options of a game as addresses have them.
 *
 * @param {api.Options} options
 */
export function formatOptions(options) {
  const parts = Object.entries(options).map(([name, value]) => `${name}=${value}`);
  return parts.join(",");
}

/**
 * The board that options make, before anything is played.
 *
 * @param {string} game
 * @param {string} options as addresses have them
 * @param {api.Theme} theme
 * @returns {Promise<{ svg: string } | api.Refusal>}
 */
export async function drawStart(game, options, theme) {
  const asked = new URLSearchParams({ game, options, theme });
  try {
    const answer = await fetch(`/api/positions/board.svg?${asked}`);
    return answer.ok ? { svg: await answer.text() } : await answer.json();
  } catch {
    return { error: UNREACHABLE };
  }
}

/**
 * Where moves lead; nothing is kept.
 *
 * @param {api.Trial} trial
 * @returns {Promise<api.PositionDocument | api.Refusal>}
 */
export function tryMoves(trial) {
  return send("/api/positions", trial);
}

/**
 * What pointing at a path would do after some moves.
 *
 * @param {api.Trial & { path: string[] }} trial
 * @param {AbortSignal} signal
 * @returns {Promise<api.PreviewDocument | null>}
 */
export function previewTrial(trial, signal) {
  const body = JSON.stringify(trial);
  return glance("/api/positions/preview", { method: "POST", headers: JSON_HEADERS, body, signal });
}

/**
 * @param {api.Setup} body
 * @returns {Promise<api.SetupDocument | api.Refusal>}
 */
export function setUp(body) {
  return send("/api/positions/setup", body);
}

// --- lessons and puzzles

/**
 * @param {string} game
 * @param {string} step
 * @param {{ moves: string[], path: string[], theme: api.Theme }} attempt
 * @returns {Promise<api.LessonDocument | api.Refusal>}
 */
export function tryLesson(game, step, attempt) {
  return send(`/api/lessons/${game}/${step}`, attempt);
}

/**
 * @param {string} game
 * @param {number} number
 * @param {{ moves: string[], theme: api.Theme }} answer
 * @returns {Promise<api.PuzzleVerdict | api.Refusal>}
 */
export function answerPuzzle(game, number, answer) {
  return send(`/api/puzzles/${game}/${number}/answer`, answer);
}

// --- studies

/**
 * @param {object} origin what it is made from
 * @returns {Promise<api.StudyMade | api.Refusal>}
 */
export function createStudy(origin) {
  return send("/api/studies", origin);
}

/**
 * A study as it is for whoever has its secret.
 *
 * @param {string} id
 * @returns {Promise<api.StudyDocument | api.Refusal>}
 */
export function fetchStudy(id) {
  return ask(`/api/studies/${id}`, { headers: { "X-Seat": secretsOf(id).join(",") } });
}

/**
 * @param {string} id
 * @param {api.StudyEdit} edit
 * @returns {Promise<api.StudyDocument | api.StudyConflict | api.Refusal>}
 */
export function changeStudy(id, edit) {
  return send(`/api/studies/${id}`, edit, id, "PUT");
}

/**
 * Have a film made: how far it has come, again and again.
 *
 * @param {string} address
 * @returns {AsyncGenerator<api.FilmProgress | api.Refusal>}
 */
export function prepareFilm(address) {
  return readLines(address, { method: "POST" });
}

// --- reports

/**
 * All boards of a game that a report has; an exception if they do not come.
 *
 * @param {string} address
 * @param {api.Theme} theme
 */
export async function fetchFrames(address, theme) {
  const answer = await glance(`${address}?theme=${theme}`, {});
  if (!answer) throw new Error(`${address} cannot be had`);
  return answer;
}
