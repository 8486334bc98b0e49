// Secrets of seats and studies: whoever has one may play that seat or change that study. They stay
// in this browser and never travel in an address: a link carries its secret behind the #, which
// browsers do not send.

import { listKeys, readJson, removeKey, writeJson } from "./storage.js";

export const REMEMBERED = "remembered"; // an event of the document: there is a new seat
const ID = /^skerry:([\w-]{12})$/;

/**
 * The secrets that this browser plays with.
 *
 * @param {string} id
 * @returns {string[]}
 */
export function secretsOf(id) {
  const found = readJson(`skerry:${id}`);
  return Array.isArray(found) ? found.filter((secret) => typeof secret === "string") : [];
}

/**
 * Everything that this browser has secrets of: games, and studies too.
 *
 * @returns {string[]} ids
 */
export function listIds() {
  return listKeys().flatMap((key) => {
    const id = ID.exec(key)?.[1];
    return id && secretsOf(id).length ? [id] : [];
  });
}

/**
 * The secrets that this browser may hand on, by seat.
 *
 * @param {string} id
 * @returns {Record<string, string | null>}
 */
export function shareableSecrets(id) {
  const found = readJson(`skerry:share:${id}`);
  return found && typeof found === "object" ? { ...found } : {};
}

/**
 * @param {string} id
 * @param {string[]} secrets
 * @param {Record<string, string | null>} shareable
 */
export function remember(id, secrets, shareable = {}) {
  writeJson(`skerry:${id}`, secrets);
  writeJson(`skerry:share:${id}`, shareable);
  document.dispatchEvent(new Event(REMEMBERED));
}

/**
 * Take the secret out of the address that somebody was sent, and keep it. One that this browser
 * itself hands on is not kept but returned: whoever looks at their own invitation has to be asked.
 *
 * @param {string} id
 */
export function adoptSecret(id) {
  const secret = /^#s=([\w-]+)$/.exec(location.hash)?.[1];
  if (!secret) return null;
  history.replaceState(null, "", location.pathname);
  const isShared = Object.values(shareableSecrets(id)).includes(secret);
  if (isShared && !secretsOf(id).includes(secret)) return secret;
  keepSecret(id, secret);
  return null;
}

/**
 * @param {string} id
 * @param {string} secret
 */
export function keepSecret(id, secret) {
  remember(id, [...new Set([...secretsOf(id), secret])], shareableSecrets(id));
}

/**
 * @param {string} id
 * @param {string} secret
 */
export function dropSecret(id, secret) {
  const others = secretsOf(id).filter((other) => other !== secret);
  remember(id, others, shareableSecrets(id));
}

/**
 * Know nothing of a game any more.
 *
 * @param {string} id
 */
export function forget(id) {
  removeKey(`skerry:${id}`);
  removeKey(`skerry:share:${id}`);
}

/** A secret that nobody else has. */
export function makeSecret() {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}
