// What this browser remembers. Storage may be forbidden or full, as in private windows; then things
// are remembered for as long as the page is open.

/** @type {Map<string, string>} */
const unstored = new Map();

/** @param {string} key */
export function readText(key) {
  const kept = unstored.get(key);
  if (kept !== undefined) return kept;
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {string} text
 */
export function writeText(key, text) {
  try {
    localStorage.setItem(key, text);
    unstored.delete(key);
  } catch {
    unstored.set(key, text);
  }
}

/** @param {string} key */
export function removeKey(key) {
  unstored.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // Then there was nothing.
  }
}

/** Everything that is remembered, by its key. */
export function listKeys() {
  try {
    return [...new Set([...Object.keys(localStorage), ...unstored.keys()])];
  } catch {
    return [...unstored.keys()];
  }
}

/**
 * What was written as JSON; null if there is nothing, or nothing that can be read.
 *
 * @param {string} key
 * @returns {unknown}
 */
export function readJson(key) {
  try {
    return JSON.parse(readText(key) ?? "null");
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {unknown} value
 */
export function writeJson(key, value) {
  writeText(key, JSON.stringify(value));
}
