// The lobby: press a clock and be paired, answer a challenge, or make one.

import { clearNotices, listenToAlerts, notify } from "../lib/alerts.js";
import { writeClock } from "../lib/clocks.js";
import { followLobby, joinChallenge, seekOpponent } from "../lib/lobby.js";
import { recallMe } from "../lib/me.js";
import { keepName, recallName } from "../lib/name.js";
import { $, find, findAll, makeButton, readData, readDocument, settle } from "../lib/page.js";
import { isRefusal } from "../lib/requests.js";
import { listenToSound, sound } from "../lib/sound.js";
import { t, tn } from "../lib/texts.js";
import { describeTerms, makeItem, tellOthers, updateChallenges } from "./lobby/cards.js";
import { ChallengeForm } from "./lobby/form.js";
import { makeOwn } from "./lobby/own.js";

/** @import { ChallengeDocument, ChallengeMade, Refusal } from "../lib/types.js" */
/** @import { Lobby } from "../lib/lobby.js" */

const { lobby, frames } = readDocument();
const title = document.title;
const LOST = t("The connection is lost. It comes back by itself.");
const said = $("said");

const rate = $("rate", HTMLInputElement); // rated games are for those who are signed in
const isMember = Boolean(recallMe());
document.documentElement.toggleAttribute("data-member", isMember);
rate.disabled = !isMember;

/** Clocks to press, for each game. */
const presets = findAll("[data-clock]", document, HTMLButtonElement).map((button) => {
  const game = readData(/** @type {HTMLElement} */ (button.closest("[data-game]")), "game");
  const clock = JSON.parse(readData(button, "clock"));
  button.addEventListener("click", () => {
    if (button.getAttribute("aria-pressed") === "true") return; // they wait already
    act(button, seekOpponent({ game, clock, rated: rate.checked }));
  });
  return { button, game, clock: writeClock(clock) };
});

/** @type {Set<string>} ids of challenges that were there before, for whoever listens */
const told = new Set();

/**
 * Do what somebody has asked for, and go where that leads.
 *
 * @param {HTMLButtonElement | null} button
 * @param {Promise<ChallengeMade | ChallengeDocument | Refusal>} request
 * @returns {Promise<string>} why not; empty if all is well
 */
async function act(button, request) {
  if (button) button.disabled = true;
  const answer = await request;
  if (button) button.disabled = false;
  const refused = isRefusal(answer) ? answer.error : "";
  said.textContent = refused && `${refused[0]?.toUpperCase()}${refused.slice(1)}.`;
  live.greet(); // with the secret that is waited with by now; what has begun is told at once
  return refused;
}

/** @param {Lobby} shown */
function show(shown) {
  const open = (shown.open ?? []).filter(({ id }) => !own.has(id));
  $("nobody").hidden = open.length > 0;
  updateChallenges($("open"), open, makeOpen);
  for (const { button, game, clock } of presets) {
    const waiting = (shown.quick ?? []).filter((one) => one.game === game && one.clock === clock);
    const count = waiting.reduce((sum, one) => sum + one.waiting, 0);
    find(".count", button).textContent = count ? String(count) : "";
    button.title = count ? tn("{n} waiting", "{n} waiting", count) : "";
  }
  $("spoken").textContent = tellOthers(open, told);
}

/** @param {ChallengeDocument} challenge */
function makeOpen(challenge) {
  const button = makeButton(t("Play"), () => act(button, joinChallenge(challenge.id)), {
    className: "primary",
    ariaLabel: t("Play {game} with {names}", {
      game: challenge.title,
      names: challenge.joined.map(({ name }) => name).join(", "),
    }),
  });
  return makeItem(challenge, frames, describeTerms(challenge), button);
}

/** @type {Set<string>} ids of one's own */
const own = new Set();

/** @param {ChallengeDocument[]} mine */
function showMine(mine) {
  const current = mine.filter(({ state }) => state !== "begun");
  own.clear();
  for (const { id } of current) own.add(id);
  updateChallenges($("mine"), current, (challenge) => makeOwn(challenge, frames, act));
  $("idle").hidden = current.length > 0;
  const waiting = mine.filter(({ yours, state }) => yours && state === "open");
  document.title = waiting.length ? `${t("Waiting …")} - ${title}` : title;
  for (const { button, game, clock } of presets) {
    const isWaited = waiting.some(
      (one) => one.quick && one.game === game && writeClock(one.clock) === clock,
    );
    button.setAttribute("aria-pressed", String(isWaited));
  }
}

const live = followLobby(
  false,
  ({ lobby: shown, mine }, begun) => {
    showMine(mine);
    if (shown.open) show(shown);
    const [game] = begun;
    if (!game?.url) return;
    sound("found");
    notify(game.title, t("Somebody plays with you: your game has begun."));
    document.title = `${t("Your game has begun")} - ${title}`;
    location.href = game.url;
  },
  (isLost) => {
    if (isLost) said.textContent = LOST;
    else if (said.textContent === LOST) said.textContent = "";
  },
);

const name = $("name", HTMLInputElement);
name.value = recallName();
$("naming").addEventListener("submit", (event) => {
  event.preventDefault();
  keepName(name.value);
});
name.addEventListener("change", () => keepName(name.value));
new ChallengeForm($("making", HTMLDialogElement), (request) => act(null, request));
listenToAlerts($("notifying", HTMLInputElement), $("alerts-note"));
listenToSound($("sounding", HTMLInputElement));
document.addEventListener("visibilitychange", clearNotices);
show(lobby);
settle();
