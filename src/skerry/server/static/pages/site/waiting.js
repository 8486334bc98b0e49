// On every page: whoever waits in the lobby is told when somebody answers, or challenges them.

import { notify } from "../../lib/alerts.js";
import { followLobby, isWaiting } from "../../lib/lobby.js";
import { recallMe } from "../../lib/me.js";
import { make, makeButton } from "../../lib/page.js";
import { sound } from "../../lib/sound.js";
import { t } from "../../lib/texts.js";

/** @import { ChallengeDocument } from "../../lib/types.js" */

const title = document.title;

/**
 * Listen to the lobby, once there is a reason to.
 *
 * @param {HTMLElement} link to the lobby, which says how many wait there
 */
export function watchLobby(link) {
  if (document.getElementById("lobby")) return; // that page hears more
  const mark = new Mark(link);
  let isListening = false;
  const listen = () => {
    if (isListening || !(isWaiting() || recallMe())) return;
    isListening = true;
    followLobby(true, ({ mine }, begun) => {
      mark.show(mine);
      for (const one of begun) if (one.url !== location.pathname) tellBegun(one);
    });
  };
  listen();
  window.addEventListener("storage", listen); // another tab may have begun to wait
}

/** What the header says of the lobby. */
class Mark {
  /** @param {HTMLElement} link */
  constructor(link) {
    this.link = link;
    /** @type {Set<string>} challenges that whoever is here has been told of */
    this.told = new Set();
  }

  /** @param {ChallengeDocument[]} mine */
  show(mine) {
    const open = mine.filter(({ state }) => state === "open");
    const sent = open.filter((one) => one.for_you && !one.yours);
    const news = sent.length ? t("somebody challenges you") : t("you wait for somebody");
    if (open.length) this.link.dataset.count = String(open.length);
    else delete this.link.dataset.count;
    this.link.title = open.length ? `${this.link.textContent}: ${news}` : "";
    for (const one of sent) {
      if (!this.told.has(one.id)) tellSent(one);
      this.told.add(one.id);
    }
  }
}

/** @param {ChallengeDocument} challenge */
function tellBegun({ title: game, url, joined }) {
  const others = joined.filter(({ yours }) => !yours).map(({ name }) => name);
  const words = t("Your game of {game} with {names} has begun.", {
    game,
    names: others.join(", "),
  });
  const go = make("a", { className: "button primary", href: url ?? "/lobby" }, t("Go to the game"));
  tell(game, words, go);
}

/** @param {ChallengeDocument} challenge */
function tellSent({ title: game, joined }) {
  const name = joined[0]?.name ?? t("Somebody");
  const words = t("{name} challenges you to a game of {game}.", { name, game });
  tell(game, words, make("a", { className: "button primary", href: "/lobby" }, t("Answer")));
}

/**
 * Say something beside the page, which stays until it is answered or put away.
 *
 * @param {string} game
 * @param {string} words
 * @param {HTMLElement} act
 */
function tell(game, words, act) {
  const notice = make(
    "aside",
    { className: "notice", role: "alert" },
    make("span", {}, words),
    act,
  );
  notice.append(makeButton(t("Not now"), () => notice.remove()));
  document.body.append(notice);
  document.title = `${words} - ${title}`;
  sound("found");
  notify(game, words);
}
