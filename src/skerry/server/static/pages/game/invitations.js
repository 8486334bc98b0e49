// Links to seats that are still free, to be sent to somebody.

import { show } from "../../board/picture.js";
import { fetchCode } from "../../lib/api.js";
import { copy } from "../../lib/clipboard.js";
import { $, findAll, make, makeButton } from "../../lib/page.js";
import { shareableSecrets } from "../../lib/secrets.js";
import { listInvitations } from "./state.js";

/** @import { GameDocument, SeatDocument } from "../../lib/types.js" */

/** @param {GameDocument} game */
export function renderInvitations(game) {
  const invitations = listInvitations(game, shareableSecrets(game.id));
  const list = $("links");
  $("share").hidden = invitations.length === 0;
  if (list.children.length === invitations.length) return; // codes and selections stay
  list.replaceChildren(
    ...invitations.map(({ seat, secret }) => renderInvitation(game.id, seat, secret)),
  );
}

/**
 * @param {string} id
 * @param {SeatDocument} seat
 * @param {string} secret
 */
function renderInvitation(id, seat, secret) {
  const link = `${location.origin}/g/${id}#s=${secret}`;
  const field = make("input", { readOnly: true, value: link });
  const code = make("div", { className: "qr" });
  return make(
    "li",
    {},
    make("label", {}, `Link for ${seat.title}`, field),
    makeButton("Copy", (button) => copy(link, button)),
    makeButton("QR code", async () => {
      const picture = await fetchCode(id, seat.seat, secret);
      if (picture) show(code, picture);
    }),
    code,
  );
}

/**
 * Ask somebody who has opened their own invitation whether that was meant so.
 *
 * @param {() => unknown} sit takes the seat as well
 */
export function askWhetherToSit(sit) {
  $("own-invitation").hidden = false;
  $("sit-here").addEventListener("click", sit);
  for (const button of findAll("button", $("own-invitation"))) {
    button.addEventListener("click", () => {
      $("own-invitation").hidden = true;
    });
  }
}
