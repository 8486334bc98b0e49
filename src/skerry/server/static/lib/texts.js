// What scripts say, in the language of the page: its catalogue is a script that is loaded before. The
// messages are in English, which needs no catalogue.

/**
 * @typedef {object} Catalogue
 * @property {Record<string, string | string[]>} messages several forms where numbers are counted
 * @property {(n: number) => number} plural which of them
 */

/** @typedef {Record<string, string | number>} Values */

export const isEnglish = !Reflect.has(globalThis, "skerryTexts");

/** @type {Catalogue} */
const { messages, plural } = Reflect.get(globalThis, "skerryTexts") ?? {
  messages: {},
  plural: (/** @type {number} */ n) => Number(n !== 1),
};

/**
 * A message, with values in the places that it has for them: "Link for {seat}".
 *
 * @param {string} message
 * @param {Values} values
 */
export function t(message, values = {}) {
  const found = messages[message] ?? message;
  return fill(typeof found === "string" ? found : (found[0] ?? message), values);
}

/**
 * A message about a number of things, which is {n} in it.
 *
 * @param {string} one
 * @param {string} many
 * @param {number} n
 * @param {Values} values
 */
export function tn(one, many, n, values = {}) {
  const found = messages[one] ?? [one, many];
  const form = typeof found === "string" ? found : found[plural(n)];
  return fill(form ?? many, { n, ...values });
}

/**
 * @param {string} text
 * @param {Values} values
 */
function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place));
}

/** The language of the page, as the browser's own words for numbers and dates want it. */
export function language() {
  const { lang } = document.documentElement;
  return !lang || lang === "en" ? "en-GB" : lang;
}
