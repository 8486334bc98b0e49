// Being told by the server while no page is open: the service worker, and the subscription by which
// the browser's push service knows us. Which seats it is about, only this browser can say.

import { recallMe } from "./me.js";
import { isRefusal, send } from "./requests.js";
import { secretsOf } from "./secrets.js";
import { readText, writeText } from "./storage.js";

/** @import * as api from "./types.js" */
/** @typedef {{ id: string, secrets: string[] }} Held */

const WORKER = "/sw.js";
const ADDRESS = "/api/push";
const KNOWN = "push"; // a cache, which the service worker reads too: by what the server knows us
const TOLD = "skerry:told"; // of which games the server was told last, and when
const AT_ONCE = 20; // games; their secrets have to fit into one request
const PATIENCE = 20_000; // milliseconds; a browser that cannot reach its push service never answers

let isAsking = false;
let isSeen = false; // whether this page has looked by what we are reached

/**
 * The service worker, once it works; null where there is none.
 *
 * @returns {Promise<ServiceWorkerRegistration | null>}
 */
export async function findWorker() {
  if (!("serviceWorker" in navigator)) return null;
  try {
    const registration = await navigator.serviceWorker.register(WORKER);
    const coming = registration.installing ?? registration.waiting;
    if (!registration.active && coming) await settle(coming);
    return registration.active ? registration : null;
  } catch {
    return null; // private windows may refuse it
  }
}

/** @param {ServiceWorker} worker */
function settle(worker) {
  return new Promise((resolve) => {
    const look = () => {
      if (worker.state === "activated" || worker.state === "redundant") resolve(worker.state);
    };
    worker.addEventListener("statechange", look);
    look();
  });
}

/**
 * Subscribe, and tell the server about the seats of these games; whether it can reach us now.
 *
 * @param {string[]} ids
 * @param {Held[]} waiting challenges, which will be games
 */
export async function subscribe(ids, waiting = []) {
  const registration = await findWorker();
  if (!registration?.pushManager) return false;
  isAsking = true;
  try {
    const subscription = await Promise.race([renew(registration.pushManager), giveUp()]);
    return subscription !== null && (await tellServer(subscription, ids, waiting));
  } catch {
    return false; // no push service, or none that can be reached
  } finally {
    isAsking = false;
  }
}

/** @returns {Promise<null>} */
function giveUp() {
  return new Promise((resolve) => setTimeout(() => resolve(null), PATIENCE));
}

/**
 * The subscription for the server's key; it has another if its database was replaced.
 *
 * @param {PushManager} manager
 */
async function renew(manager) {
  /** @type {api.SignerDocument | api.Refusal} */
  const signer = await ask();
  if (isRefusal(signer)) return null;
  const kept = await manager.getSubscription();
  if (kept && encode(kept.options.applicationServerKey) === signer.key) return kept;
  await kept?.unsubscribe();
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: signer.key });
}

function ask() {
  return fetch(ADDRESS).then(
    (answer) => answer.json(),
    () => ({ error: "" }),
  );
}

/** @param {ArrayBuffer | null} key */
function encode(key) {
  const text = btoa(String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0))));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * @param {PushSubscription} subscription
 * @param {string[]} ids
 * @param {Held[]} waiting
 */
async function tellServer(subscription, ids, waiting) {
  const { endpoint, keys } = subscription.toJSON();
  const known = await recall();
  const replaces = known?.endpoint === endpoint ? null : known;
  const held = [...waiting, ...ids.map((id) => ({ id, secrets: secretsOf(id) }))];
  for (let at = 0; at === 0 || at < held.length; at += AT_ONCE) {
    const games = held.slice(at, at + AT_ONCE);
    const answer = await send(ADDRESS, { endpoint, keys, games, replaces }, undefined, "PUT");
    if (isRefusal(answer)) return false;
  }
  const box = await caches.open(KNOWN);
  await box.put(ADDRESS, new Response(JSON.stringify({ endpoint, keys })));
  writeText(TOLD, describe(ids));
  return true;
}

/**
 * The subscription by which the server knows this browser.
 *
 * @returns {Promise<{ endpoint: string, keys: object } | null>}
 */
async function recall() {
  const kept = await caches.match(ADDRESS, { cacheName: KNOWN });
  return kept ? kept.json() : null;
}

/** Whether the push service has given this browser another subscription, and nobody has told. */
async function isReplaced() {
  if (isSeen) return false;
  isSeen = true;
  const registration = await findWorker();
  if (!registration?.pushManager) return false;
  const subscription = await registration.pushManager.getSubscription();
  return subscription?.endpoint !== (await recall())?.endpoint;
}

/** @param {string[]} ids */
function describe(ids) {
  const day = new Date().toISOString().slice(0, 10);
  const games = ids.map((id) => `${id}:${secretsOf(id).length}`).sort();
  return [day, document.documentElement.lang, recallMe()?.id ?? "", ...games].join(" ");
}

/**
 * Tell the server of games that are new, by what it reaches us now, and every day that we are here.
 *
 * @param {string[]} ids
 */
export async function keepSubscribed(ids) {
  if (isAsking) return;
  if (readText(TOLD) !== describe(ids) || (await isReplaced())) await subscribe(ids);
}

/** Hear no more. */
export async function unsubscribe() {
  writeText(TOLD, "");
  const registration = await findWorker();
  const subscription = await registration?.pushManager?.getSubscription();
  if (registration) await caches.delete(KNOWN);
  if (!subscription) return;
  await send(`${ADDRESS}/forget`, { endpoint: subscription.endpoint });
  await subscription.unsubscribe();
}
