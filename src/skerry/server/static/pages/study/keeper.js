// Keeping a study, without the DOM: changes are sent a little later, together and one after the
// other; what could not be sent is sent again. Changes are counted, so that it is always known
// whether the server has all of them.

import { isRefusal } from "../../lib/requests.js";
import { Backoff } from "../../lib/time.js";
import { Tree } from "./tree.js";

/** @import { Line, Refusal, StudyConflict, StudyDocument, StudyEdit, StudyMade } from "../../lib/types.js" */

export const DEBOUNCE = 500; // milliseconds from a change until it is sent
const LONGEST_PAUSE = 60_000; // milliseconds until what was refused is sent again

/** @typedef {"waiting" | "kept" | "failed"} Status */

/**
 * @typedef {object} Page what keeping needs of the page
 * @property {() => { title: string, line: Line }} read what there is to keep
 * @property {(title: string) => Promise<StudyMade | Refusal>} create
 * @property {(id: string, edit: StudyEdit) => Promise<StudyDocument | StudyConflict | Refusal>} change
 * @property {(made: StudyMade) => void} made it is a study of one's own now
 * @property {(status: Status) => void} tell
 * @property {(error: string) => void} say what went wrong; empty if it does not any more
 * @property {(theirs: StudyDocument) => void} conflict somebody else has changed it meanwhile
 */

export class Keeper {
  /**
   * @param {{ id: string | null, version: number }} study without an id it is kept nowhere yet
   * @param {Page} page
   */
  constructor({ id, version }, page) {
    this.id = id;
    this.version = version;
    this.page = page;
    this.changes = 0; // how many there were
    this.kept = 0; // and how many of them the server has
    this.backoff = new Backoff(2 * DEBOUNCE, LONGEST_PAUSE);
    /** @type {number | null} */
    this.timer = null;
    /** @type {Promise<void>} */
    this.sending = Promise.resolve();
    /** @type {StudyEdit | null} what was sent last, if nobody knows whether it arrived */
    this.unanswered = null;
  }

  /** Whether the server lacks some change. */
  get isBehind() {
    return this.kept < this.changes;
  }

  /** Whether there is a study, and the server has all of it. */
  get isKept() {
    return this.id !== null && !this.isBehind;
  }

  /** Something is different now: it is sent a little later, together with what follows. */
  note() {
    this.changes += 1;
    this.page.tell("waiting");
    this.schedule(DEBOUNCE);
  }

  /** Send what has changed, after all that is on its way. */
  save() {
    this.unschedule();
    return this.queue(() => (this.id === null ? this.copy() : this.send()));
  }

  /** Make it a study of one's own: what it was made from, and then what is different. */
  saveCopy() {
    return this.queue(() => this.copy());
  }

  /**
   * Go on from what the server has: nothing of ours is left to keep.
   *
   * @param {{ id: string | null, version: number }} study
   */
  adopt({ id, version }) {
    this.id = id;
    this.version = version;
    this.kept = this.changes;
  }

  /** @param {() => Promise<void>} job */
  queue(job) {
    this.sending = this.sending.then(job);
    return this.sending;
  }

  /** @param {number} pause */
  schedule(pause) {
    this.unschedule();
    this.timer = setTimeout(() => this.save(), pause);
  }

  unschedule() {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  /** @returns {Promise<void>} */
  async send() {
    if (this.id === null) return;
    const sent = this.changes;
    const edit = { version: this.version, ...this.page.read() };
    const answer = await this.page.change(this.id, edit);
    if (!isRefusal(answer)) {
      this.unanswered = null;
      this.version = answer.version;
      this.kept = sent;
      if (this.backoff.isRetrying) this.page.say(""); // what could not be sent has been
      this.backoff.reset();
      if (!this.isBehind) this.page.tell("kept");
      return;
    }
    const theirs = "study" in answer ? answer.study : null;
    if (theirs && this.isOurs(theirs)) {
      this.unanswered = null;
      this.version = theirs.version;
      return this.send();
    }
    this.unanswered = theirs ? null : edit;
    if (!theirs) return this.retry(answer.error);
    this.page.tell("failed");
    this.page.conflict(theirs);
  }

  async copy() {
    const made = await this.page.create(this.page.read().title);
    if (isRefusal(made)) {
      if (this.id === null) return this.retry(made.error);
      this.page.tell("failed");
      this.page.say(made.error);
      return;
    }
    this.id = made.id;
    this.version = 0;
    this.page.made(made);
    await this.send();
  }

  /**
   * What could not be kept is not given up.
   *
   * @param {string} error
   */
  retry(error) {
    this.page.say(error);
    this.page.tell("failed");
    const pause = this.backoff.next();
    if (this.timer === null) this.schedule(pause); // a change since then is sent sooner
  }

  /**
   * Whether the server has what we sent before, and only its answer was lost.
   *
   * @param {StudyDocument} theirs
   */
  isOurs({ version, title, line }) {
    return (
      this.unanswered?.version === version - 1 &&
      this.unanswered.title.trim() === title &&
      JSON.stringify(this.unanswered.line) === JSON.stringify(new Tree(line).toLine())
    );
  }
}
