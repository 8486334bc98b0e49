// Links to seats that are still free, to be sent to somebody, and sitting down by one.

import { show } from "../../board/picture.js";
import { claimSeats, fetchCode, revokeSecret } from "../../lib/api.js";
import { copy } from "../../lib/clipboard.js";
import { $, findAll, findSite, make, makeButton, readData } from "../../lib/page.js";
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
import { hasMovedSince, isYours, listInvitations } from "./state.js";

/** @import * as api from "../../lib/types.js" */

/** @import { GameDocument, SeatDocument } from "../../lib/types.js" */

/** @type {number | null} the ply at which nobody was missing any more */
let complete = null;

/**
 * Links for those who are missing. Whoever comes does so unasked, so nothing may move then: the room
 * of a link stays until whoever sent it has made a move.
 *
 * @param {GameDocument} game
 */
export function renderInvitations(game) {
  const invitations = listInvitations(game, shareableSecrets(game.id));
  const list = $("links");
  for (const item of findAll("li", list)) {
    const seat = game.seats[Number(readData(item, "seat"))];
    if (seat && isYours(game, seat.seat)) item.remove();
    else if (seat?.claimed && !item.classList.contains("taken")) takeDown(item, seat);
  }
  for (const { seat, secret } of invitations) {
    if (!list.querySelector(`[data-seat="${seat.seat}"]`)) {
      list.append(renderInvitation(game, seat, secret)); // codes and selections of others stay
    }
  }
  complete = invitations.length ? null : (complete ?? game.ply);
  const isDone = complete !== null && hasMovedSince(game, complete);
  if (isDone) list.replaceChildren();
  $("share").hidden = !list.children.length;
}

/**
 * @param {HTMLElement} item
 * @param {SeatDocument} seat
 */
function takeDown(item, { title }) {
  item.style.minHeight = `${item.getBoundingClientRect().height}px`;
  item.classList.add("taken");
  item.replaceChildren(t("{seat} has come.", { seat: title }));
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
  const item = make(
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
  item.dataset.seat = String(seat.seat);
  return item;
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
