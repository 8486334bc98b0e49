// Passkeys: keys that a device keeps, and signs with in the place of a password.

import { enter, fetchPasskeyOptions } from "./people.js";
import { isRefusal } from "./requests.js";
import { t } from "./texts.js";

/** @import * as api from "./types.js" */

const FAILED = t("This device made no passkey. Try again, or use your password.");

/** Whether this browser can, at this address. */
export function canUsePasskeys() {
  return (
    window.isSecureContext &&
    "PublicKeyCredential" in window &&
    "parseRequestOptionsFromJSON" in PublicKeyCredential &&
    !/^[\d.]+$|^\[/.test(location.hostname) // there are none for addresses without a name
  );
}

/**
 * Have a device make or sign what the server asks for; null if somebody thought better of it.
 *
 * @param {"account/passkeys" | "sessions/passkey"} what
 * @param {(options: any) => Promise<Credential | null>} use
 * @returns {Promise<{ credential: object | null } | api.Refusal>}
 */
async function consult(what, use) {
  const asked = await fetchPasskeyOptions(what);
  if (isRefusal(asked)) return asked;
  const found = await use(asked.options).catch(() => null);
  return { credential: found instanceof PublicKeyCredential ? found.toJSON() : null };
}

/**
 * Make a passkey.
 *
 * @returns {Promise<{ credential: object } | api.Refusal>}
 */
export async function makePasskey() {
  const made = await consult("account/passkeys", (options) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    return navigator.credentials.create({ publicKey });
  });
  if (isRefusal(made)) return made;
  return made.credential ? { credential: made.credential } : { error: FAILED };
}

/**
 * Sign in by a passkey; null if somebody thought better of it.
 *
 * @returns {Promise<api.AccountDocument | api.Refusal | null>}
 */
export async function signByPasskey() {
  const signed = await consult("sessions/passkey", (options) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    return navigator.credentials.get({ publicKey });
  });
  if (isRefusal(signed)) return signed;
  return signed.credential ? enter("sessions/passkey", { credential: signed.credential }) : null;
}
