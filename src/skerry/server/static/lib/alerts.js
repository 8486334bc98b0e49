// Notifications for somebody who looks elsewhere: by the page while there is one, and else by push.

import { findWorker, keepSubscribed, subscribe, unsubscribe } from "./push.js";
import { readText, writeText } from "./storage.js";
import { t } from "./texts.js";
import { listOngoing } from "./yours.js";

const NOTIFY = "skerry:notify"; // whether they are wanted

const WORDS = {
  asking: t("One moment …"),
  insecure: t("This needs a secure connection: an address that begins with https."),
  home: t(
    "Put this site on your home screen first (Share, then Add to Home Screen), and open it there.",
  ),
  none: t("This browser has no notifications."),
  blocked: t(
    "This browser blocks notifications from here. Allow them in its settings for this site.",
  ),
  open: t("Only while a page of the game is open: no push service can be reached."),
  always: t("You are told, also when no page of the game is open."),
};

/** Why there cannot be any notification; nothing if there can. */
function explainLack() {
  if (!window.isSecureContext) return WORDS.insecure;
  if (!("Notification" in window)) return "standalone" in navigator ? WORDS.home : WORDS.none;
  return Notification.permission === "denied" ? WORDS.blocked : "";
}

/** Whether notifications are wanted, and allowed. */
function isWanted() {
  return !explainLack() && Notification.permission === "granted" && Boolean(readText(NOTIFY));
}

/**
 * A switch for notifications in all games of this browser, with words beside it.
 *
 * @param {HTMLInputElement} box
 * @param {HTMLElement} note
 */
export function listenToAlerts(box, note) {
  const usual = note.textContent ?? "";
  const show = () => {
    box.checked = isWanted();
    note.textContent = explainLack() || usual;
  };
  show();
  window.addEventListener("storage", (event) => {
    if (event.key === NOTIFY) show(); // another tab has changed it
  });
  box.addEventListener("change", async () => {
    note.textContent = box.checked ? WORDS.asking : usual;
    note.textContent = (await (box.checked ? switchOn() : switchOff())) || usual;
    box.checked = isWanted();
  });
  if (box.checked) tellHowFar(note);
}

async function switchOn() {
  if (!explainLack() && Notification.permission !== "granted") {
    await Notification.requestPermission();
  }
  const lack = explainLack();
  if (lack || Notification.permission !== "granted") return lack;
  writeText(NOTIFY, "yes");
  return (await subscribe(listOngoing())) ? WORDS.always : WORDS.open;
}

async function switchOff() {
  writeText(NOTIFY, "");
  await unsubscribe();
  return explainLack();
}

/** @param {HTMLElement} note */
async function tellHowFar(note) {
  const registration = await findWorker();
  const subscription = await registration?.pushManager?.getSubscription();
  note.textContent = subscription ? WORDS.always : WORDS.open;
}

/**
 * Be told about these games as well, if anything is to be told at all.
 *
 * @param {string[]} ids
 */
export async function keepAlerts(ids) {
  if (isWanted()) await keepSubscribed(ids);
}

/**
 * Be told when the game begins that comes of a challenge, wherever we are then.
 *
 * @param {string} id
 * @param {string} secret
 */
export async function awaitGame(id, secret) {
  if (isWanted()) await subscribe(listOngoing(), [{ id, secrets: [secret] }]);
}

/**
 * Tell somebody who does not look at the page that it is their turn, or that the game is over. What
 * the server pushes about the game takes the place of it, and the other way round.
 *
 * @param {string} title
 * @param {string} words
 */
export async function notify(title, words) {
  if (!document.hidden || !isWanted()) return;
  const path = location.pathname;
  const choices = { body: words, tag: path, icon: "/icons/192.png", data: { path } };
  const registration = await findWorker();
  if (registration) return void registration.showNotification(title, choices);
  const notice = new Notification(title, choices);
  notice.onclick = () => {
    window.focus();
    notice.close();
  };
}

/** Whoever sees this page needs no notice of it any more. */
export async function clearNotices() {
  if (document.hidden || !isWanted()) return;
  const registration = await findWorker();
  const notices = await registration?.getNotifications({ tag: location.pathname });
  for (const notice of notices ?? []) notice.close();
}
