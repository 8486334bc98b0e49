// Who is signed in. Only the server knows, since scripts cannot read the cookie of a session; what it
// said last is remembered, so that guests are not asked about on every page.

import { $ } from "./page.js";
import { fetchMe } from "./people.js";
import { isRefusal } from "./requests.js";
import { listIds, secretsOf } from "./secrets.js";
import { readJson, writeText } from "./storage.js";
import { t } from "./texts.js";

/** @import { AccountDocument } from "./types.js" */

const ME = "skerry:me";

/**
 * Who is signed in here, as far as this browser knows.
 *
 * @returns {AccountDocument | null}
 */
export function recallMe() {
  const found = readJson(ME);
  const isSomebody = found && typeof found === "object" && "id" in found && "name" in found;
  return isSomebody ? /** @type {AccountDocument} */ (found) : null;
}

/** @param {AccountDocument | null} person */
export function rememberMe(person) {
  writeText(ME, person ? JSON.stringify(person) : "");
  const link = $("me", HTMLAnchorElement);
  link.textContent = person?.name ?? t("Sign in");
  link.href = person ? "/account" : "/sign-in";
  link.title = person ? t("Your account") : "";
}

/** Ask the server who is signed in; null for guests, and for whoever was signed out elsewhere. */
export async function findMe() {
  const answer = await fetchMe();
  if (isRefusal(answer)) return recallMe(); // nobody knows better just now
  const before = recallMe();
  if (JSON.stringify(before) !== JSON.stringify(answer.person)) rememberMe(answer.person);
  return answer.person;
}

/** The games that this browser has secrets of, to be shown to the server in portions. */
export function listPortions(size = 50) {
  const games = listIds().map((id) => ({ id, secrets: secretsOf(id).slice(0, 16) }));
  const portions = [];
  for (let at = 0; at < games.length; at += size) portions.push(games.slice(at, at + size));
  return portions;
}
