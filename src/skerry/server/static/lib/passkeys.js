// Passkeys: keys that a device keeps, and signs with in the place of a password.

import { enter, fetchPasskeyOptions } from "./people.js";
import { isRefusal } from "./requests.js";

/** @import * as api from "./types.js" */

const FAILED = "This device made no passkey. Try again, or use your password.";

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
 * What a device has made or signed, as the server takes it.
 *
 * @param {Promise<Credential | null>} asked
 */
async function read(asked) {
  const found = await asked.catch(() => null); // somebody thought better of it
  return found instanceof PublicKeyCredential ? found.toJSON() : null;
}

/**
 * Make a passkey.
 *
 * @returns {Promise<{ credential: object } | api.Refusal>}
 */
export async function makePasskey() {
  const asked = await fetchPasskeyOptions("account/passkeys");
  if (isRefusal(asked)) return asked;
  const options = /** @type {PublicKeyCredentialCreationOptionsJSON} */ (
    /** @type {unknown} */ (asked.options)
  );
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await read(navigator.credentials.create({ publicKey }));
  return credential ? { credential } : { error: FAILED };
}

/**
 * Sign in by a passkey; null if somebody thought better of it.
 *
 * @returns {Promise<api.AccountDocument | api.Refusal | null>}
 */
export async function signByPasskey() {
  const asked = await fetchPasskeyOptions("sessions/passkey");
  if (isRefusal(asked)) return asked;
  const options = /** @type {PublicKeyCredentialRequestOptionsJSON} */ (
    /** @type {unknown} */ (asked.options)
  );
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await read(navigator.credentials.get({ publicKey }));
  return credential ? enter("sessions/passkey", { credential }) : null;
}
