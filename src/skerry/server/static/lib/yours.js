// The unfinished games in which this browser has a seat. One look is shared by all parts of a page.

import { listHeld } from "./api.js";
import { recallMe } from "./me.js";
import { listOwn } from "./people.js";
import { isRefusal } from "./requests.js";
import { listIds, REMEMBERED, secretsOf } from "./secrets.js";
import { readJson, readText, writeJson, writeText } from "./storage.js";

/** @import { GameHeld } from "./types.js" */
/** @typedef {(games: GameHeld[]) => void} Listener */

const SETTLED = "skerry:settled"; // ids of games that are over or gone, and of what is no game
const ONGOING = "skerry:ongoing"; // how many there are; look.js keeps room for them
const AT_ONCE = 50; // as many as the server takes
const PAUSE = 15_000; // milliseconds

/** @type {Listener[]} */
const listeners = [];
/** @type {GameHeld[] | null} */
let known = null;

/** @returns {Set<string>} */
function listSettled() {
  const found = readJson(SETTLED);
  return new Set(Array.isArray(found) ? found : []);
}

/** The ids of all games that may be unfinished, as far as is known here. */
export function listOngoing() {
  const settled = listSettled();
  return listIds().filter((id) => !settled.has(id));
}

/** How many unfinished games there were when the server was asked last. */
export function countOngoing() {
  return Number(readText(ONGOING)) || 0;
}

/** @param {GameHeld} game */
export function isYourTurn(game) {
  return game.yours.includes(game.to_move);
}

/**
 * Ask how all games stand. What is over or gone is not asked about again.
 *
 * @returns {Promise<GameHeld[] | null>} those that wait for you first; null if there is no answer
 */
export async function fetchYours() {
  const own = recallMe() ? await listOwn() : []; // those of the account, wherever they were begun
  /** @type {GameHeld[]} */
  const games = isRefusal(own) ? [] : [...own];
  const known = new Set(games.map(({ id }) => id));
  const ids = listOngoing().filter((id) => !known.has(id));
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const asked = ids.slice(at, at + AT_ONCE);
    const found = await listHeld(asked.map((id) => ({ id, secrets: secretsOf(id) })));
    if (isRefusal(found)) return null;
    games.push(...found);
    const ongoing = new Set(found.map((game) => game.id));
    const over = asked.filter((id) => !ongoing.has(id));
    if (over.length) writeJson(SETTLED, [...listSettled(), ...over]);
  }
  const urgency = (/** @type {GameHeld} */ game) => game.left ?? Number.MAX_SAFE_INTEGER;
  return games.sort(
    (one, two) => Number(isYourTurn(two)) - Number(isYourTurn(one)) || urgency(one) - urgency(two),
  );
}

async function look() {
  if (document.hidden) return;
  const games = await fetchYours();
  if (!games) return;
  known = games;
  writeText(ONGOING, String(games.length));
  document.documentElement.toggleAttribute("data-seated", games.length > 0);
  for (const listener of listeners) listener(games);
}

/**
 * Hear of your games now, and whenever they may have changed.
 *
 * @param {Listener} listener
 */
export function follow(listener) {
  listeners.push(listener);
  if (known) listener(known);
  if (listeners.length > 1) return;
  look();
  setInterval(look, PAUSE);
  document.addEventListener("visibilitychange", look);
  document.addEventListener(REMEMBERED, look);
  // Another tab has begun a game, or was sent a link.
  window.addEventListener("storage", (event) => {
    if (event.key !== SETTLED && event.key !== ONGOING) look();
  });
}
