// How the server is asked. What it refuses, and a server that cannot be reached, comes back as
// `{ error }` and never as an exception: pages say it and go on.

import { secretsOf } from "./secrets.js";
import { t } from "./texts.js";

/** @import * as api from "./types.js" */

export const UNREACHABLE = t(
  "The server cannot be reached. Nothing is lost; try again in a moment.",
);
export const JSON_HEADERS = { "Content-Type": "application/json" };

/**
 * Whether an answer says why there is none.
 *
 * @param {object} answer
 * @returns {answer is api.Refusal}
 */
export function isRefusal(answer) {
  return "error" in answer && typeof answer.error === "string";
}

/**
 * @param {string} address
 * @param {RequestInit} request
 * @returns {Promise<any>}
 */
export async function ask(address, request) {
  try {
    const answer = await fetch(address, request);
    return await answer.json();
  } catch {
    return { error: UNREACHABLE };
  }
}

/**
 * @param {string} address
 * @param {object} body
 * @param {string} [id] of the game or the study whose secrets to show
 * @param {string} [method]
 */
export function send(address, body, id, method = "POST") {
  const secrets = id === undefined ? [] : secretsOf(id);
  const headers = { ...JSON_HEADERS, "X-Seat": secrets.join(",") };
  return ask(address, { method, headers, body: JSON.stringify(body) });
}

/**
 * What is asked for while somebody points: null if there is no answer. It can be given up.
 *
 * @param {string} address
 * @param {RequestInit} request
 */
export async function glance(address, request) {
  const answer = await fetch(address, request);
  return answer.ok ? answer.json() : null;
}

/**
 * A picture as text; null if there is none.
 *
 * @param {string} address
 * @param {RequestInit} [request]
 */
export async function fetchPicture(address, request) {
  const answer = await fetch(address, request).catch(() => null);
  return answer?.ok ? answer : null;
}

/**
 * What the server answers line by line, each as soon as it is there.
 *
 * @param {string} address
 * @param {RequestInit} request
 * @returns {AsyncGenerator<any>}
 */
export async function* readLines(address, request) {
  try {
    const answer = await fetch(address, request);
    if (!answer.ok || !answer.body) {
      yield await answer.json();
      return;
    }
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value = "" } = await reader.read();
      const lines = (rest + value).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line) yield JSON.parse(line);
      if (done) return;
    }
  } catch {
    yield { error: UNREACHABLE };
  }
}

/**
 * A new WebSocket to a path of this server.
 *
 * @param {string} path
 */
export function openSocket(path) {
  const address = new URL(path, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  return new WebSocket(address);
}
