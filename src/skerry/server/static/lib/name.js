// The name of a guest, which this browser remembers.

import { readText, writeText } from "./storage.js";

const NAME = "skerry:name";

/** The name under which somebody sat down before. */
export function recallName() {
  return readText(NAME) ?? "";
}

/** @param {string} name */
export function keepName(name) {
  writeText(NAME, name);
}
