// New games: chosen in a form, made, and gone to.

import { createGame, formatOptions } from "./api.js";
import { findAll, readData } from "./page.js";
import { isRefusal } from "./requests.js";
import { remember } from "./secrets.js";

/** @import { NewGame, Options } from "./types.js" */

/**
 * Make a game and go there with the secrets of all its seats. Whoever names a seat plays that one
 * only, and may hand on the links to the others.
 *
 * @param {NewGame} body
 * @returns {Promise<string>} why there is none; empty if all is well
 */
export async function startGame(body) {
  const made = await createGame(body);
  if (isRefusal(made)) return made.error;
  const linked = body.seat !== undefined;
  const isHeld = (/** @type {number} */ seat) => !linked || seat === made.seat;
  const held = made.secrets.flatMap((secret, seat) => (secret && isHeld(seat) ? [secret] : []));
  remember(made.id, held, linked ? Object.fromEntries(made.secrets.entries()) : {});
  location.href = made.url;
  return "";
}

/**
 * The fields of a game's options.
 *
 * @param {HTMLElement} form
 */
export function listFields(form) {
  return findAll("[data-option]", form, HTMLInputElement);
}

/**
 * The options that are not as usual.
 *
 * @param {HTMLElement} form
 * @returns {Options}
 */
export function readOptions(form) {
  const changed = listFields(form).filter((field) => field.value !== field.defaultValue);
  return Object.fromEntries(
    changed.map((field) => [readData(field, "option"), Number(field.value)]),
  );
}

/**
 * @param {HTMLElement} form
 * @param {string} text
 */
export function writeOptions(form, text) {
  for (const part of text.split(",")) {
    const [name, value = ""] = part.split("=");
    const field = listFields(form).find((each) => readData(each, "option") === name);
    if (field) field.value = value;
  }
}

/**
 * Where to ask for an even start; nowhere if there are none on any board.
 *
 * @param {HTMLElement} form
 */
export function listEven(form) {
  return findAll("[name=even]", form, HTMLInputElement);
}

/**
 * Offer even starts on boards that have some.
 *
 * @param {HTMLInputElement[]} fields
 * @param {Options} options that are not as usual
 */
export function offerEven(fields, options) {
  for (const field of fields) {
    /** @type {string[]} */
    const boards = JSON.parse(readData(field, "boards"));
    const label = field.closest("label");
    if (label) label.hidden = !boards.includes(formatOptions(options));
  }
}

/**
 * Whether an even start is offered, and wanted.
 *
 * @param {HTMLInputElement[]} fields
 */
export function wantsEven(fields) {
  return fields.some((field) => field.checked && !field.closest("label")?.hidden);
}
