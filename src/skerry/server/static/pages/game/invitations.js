// Links to seats that are still free, to be sent to somebody, and sitting down by one.

import { show } from "../../board/picture.js";
import { claimSeats, fetchCode, revokeSecret } from "../../lib/api.js";
import { copy } from "../../lib/clipboard.js";
import { $, findAll, findSite, make, makeButton } from "../../lib/page.js";
import { isRefusal, UNREACHABLE } from "../../lib/requests.js";
import {
  adoptSecret,
  dropSecret,
  keepSecret,
  makeSecret,
  remember,
  secretsOf,
  shareableSecrets,
} from "../../lib/secrets.js";
import { t } from "../../lib/texts.js";
import { listInvitations } from "./state.js";

/** @import * as api from "../../lib/types.js" */

/** @import { GameDocument, SeatDocument } from "../../lib/types.js" */

/** @param {GameDocument} game */
export function renderInvitations(game) {
  const invitations = listInvitations(game, shareableSecrets(game.id));
  const list = $("links");
  $("share").hidden = invitations.length === 0;
  if (list.children.length === invitations.length) return; // codes and selections stay
  list.replaceChildren(
    ...invitations.map(({ seat, secret }) => renderInvitation(game, seat, secret)),
  );
}

/**
 * @param {GameDocument} game
 * @param {SeatDocument} seat
 * @param {string} secret
 */
function renderInvitation({ id, title }, seat, secret) {
  const link = `${findSite()}/g/${id}#s=${secret}`;
  const field = make("input", { readOnly: true, value: link });
  const code = make("div", { className: "qr" });
  return make(
    "li",
    {},
    make("label", {}, t("Link for {seat}", { seat: seat.title }), field),
    ...("share" in navigator ? [makeButton(t("Send"), () => send(title, link))] : []),
    makeButton(t("Copy"), (button) => copy(link, button)),
    makeButton(t("QR code"), async () => {
      const picture = await fetchCode(id, seat.seat, secret);
      if (picture) show(code, picture);
    }),
    code,
  );
}

/**
 * Let the device offer its own ways to send a link, as phones do.
 *
 * @param {string} title of the game
 * @param {string} url
 */
async function send(title, url) {
  const said = t("Play {game} with me", { game: title });
  await navigator.share({ title: said, url }).catch(() => {}); // thought better of
}

/**
 * Make a new link to a seat: the old one means nothing from now on.
 *
 * @param {string} id
 * @param {number} seat
 * @returns {Promise<string>} why there is none; empty if all is well
 */
export async function renewLink(id, seat) {
  const answer = await revokeSecret(id, seat);
  if (isRefusal(answer)) return answer.error;
  remember(id, secretsOf(id), { ...shareableSecrets(id), [seat]: answer.secret });
  $("links").replaceChildren();
  return "";
}

/**
 * Keep the seat whose link was opened. Whoever has opened their own invitation is asked whether that
 * was meant so.
 *
 * @param {string} id
 * @param {() => unknown} sit takes that seat as well
 */
export function takeInvitation(id, sit) {
  const own = adoptSecret(id);
  if (!own) return;
  $("own-invitation").hidden = false;
  $("sit-here").addEventListener("click", () => {
    keepSecret(id, own);
    sit();
  });
  for (const button of findAll("button", $("own-invitation"))) {
    button.addEventListener("click", () => {
      $("own-invitation").hidden = true;
    });
  }
}

/**
 * Sit down on our seats. What we came with may be known to whoever sent it, so we offer another
 * secret in its place; it is kept before it is sent, or an answer that is lost would lose the seat.
 *
 * @param {string} id
 * @param {string} name
 * @param {{ theme: api.Theme, flipped: boolean }} look how the board is to be drawn
 */
export async function sitDown(id, name, look) {
  const secret = makeSecret();
  keepSecret(id, secret);
  const answer = await claimSeats(id, { name, secret }, look);
  const isKnown = !isRefusal(answer) || answer.error !== UNREACHABLE;
  const isTaken = !isRefusal(answer) && Object.keys(answer.secrets).length > 0;
  if (isKnown && !isTaken) dropSecret(id, secret);
  return { answer, isTaken };
}
