// What somebody waits for, or was sent: to be taken back, filled with engines, answered.

import { declineChallenge, fillSeats, joinChallenge, leaveChallenge } from "../../lib/lobby.js";
import { $, make, makeButton, readData } from "../../lib/page.js";
import { t } from "../../lib/texts.js";
import { describeTerms, makeItem } from "./cards.js";

/** @import { ChallengeDocument, ChallengeMade, Refusal } from "../../lib/types.js" */
/** @typedef {(button: HTMLButtonElement | null, request: Promise<ChallengeMade | ChallengeDocument | Refusal>) => Promise<string>} Act */

const USUAL_LEVEL = 2;

/**
 * One of one's own challenges, or one that was sent.
 *
 * @param {ChallengeDocument} challenge
 * @param {Record<string, number>} frames
 * @param {Act} act
 */
export function makeOwn(challenge, frames, act) {
  if (challenge.state === "declined") return makeDeclined(challenge, frames);
  if (challenge.for_you && !challenge.yours) return makeSent(challenge, frames, act);
  const cancel = makeButton(t("Cancel"), () => act(cancel, leave(challenge.id)), {
    ariaLabel: t("Cancel {game}", { game: challenge.title }),
  });
  const meanwhile = make("a", { href: `/games/${challenge.game}` }, t("Play an engine meanwhile"));
  meanwhile.className = "button";
  const canFill = challenge.seats > 2 && challenge.joined.length > 1;
  const acts = canFill ? makeFilling(challenge, act) : [meanwhile];
  return makeItem(challenge, frames, describeWaiting(challenge), ...acts, cancel);
}

/** @param {string} id */
async function leave(id) {
  return { error: await leaveChallenge(id) };
}

/** @param {ChallengeDocument} challenge */
function describeWaiting(challenge) {
  const { to } = challenge;
  const words = make(
    "span",
    { className: "dots" },
    to ? `${t("Waiting for {name}", { name: to })} ` : `${t("Waiting")} `,
  );
  return make("span", {}, words, ` · ${describeTerms(challenge)}`);
}

/**
 * Engines in the seats that are free, if all who have joined want the same.
 *
 * @param {ChallengeDocument} challenge
 * @param {Act} act
 */
function makeFilling({ id, joined }, act) {
  const top = Number(readData($("lobby"), "top"));
  const wanted = joined.find(({ yours, fill }) => !yours && fill !== null)?.fill ?? null;
  const own = joined.find(({ yours }) => yours)?.fill ?? null;
  const level = make("select", { ariaLabel: t("Level of the engine in the free seat") });
  for (let number = 1; number <= top; number += 1) {
    const isChosen = number === (wanted ?? own ?? USUAL_LEVEL);
    level.append(new Option(t("Level {n}", { n: number }), String(number), isChosen, isChosen));
  }
  const asked = wanted === null ? t("Add an engine") : t("Agree to an engine");
  const words = own === null ? asked : t("Level {n} if all agree", { n: own });
  const fill = makeButton(words, () => act(fill, fillSeats(id, Number(level.value))), {
    className: wanted !== null && own === null ? "primary" : "",
    title: t("The game begins once everybody who is here has chosen the same level"),
  });
  return [level, fill];
}

/**
 * A challenge for oneself alone.
 *
 * @param {ChallengeDocument} challenge
 * @param {Record<string, number>} frames
 * @param {Act} act
 */
function makeSent(challenge, frames, act) {
  const accept = makeButton(t("Accept"), () => act(accept, joinChallenge(challenge.id)), {
    className: "primary",
    ariaLabel: t("Accept {game}", { game: challenge.title }),
  });
  const decline = makeButton(t("Decline"), () => act(decline, declineChallenge(challenge.id)), {
    ariaLabel: t("Decline {game}", { game: challenge.title }),
  });
  const terms = `${t("challenges you")} · ${describeTerms(challenge)}`;
  return makeItem(challenge, frames, terms, accept, decline);
}

/**
 * @param {ChallengeDocument} challenge
 * @param {Record<string, number>} frames
 */
function makeDeclined(challenge, frames) {
  const theirs = challenge.to ? t("{name} declined", { name: challenge.to }) : t("They declined");
  const words = challenge.yours ? theirs : t("You declined");
  return makeItem(challenge, frames, `${words} · ${describeTerms(challenge)}`);
}
