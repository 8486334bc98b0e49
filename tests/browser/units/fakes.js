// Stand-ins for what a browser has: time that passes when told to, connections that open and close
// when told to, storage that fails, and games.

import { settle } from "./testing.js";

/**
 * Put something in the place of a property while a function runs.
 *
 * @template {object} T
 * @param {T} owner
 * @param {keyof T} name
 * @param {unknown} value
 * @param {() => unknown} run
 */
export async function replacing(owner, name, value, run) {
  const own = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { value, configurable: true, writable: true });
  try {
    await run();
  } finally {
    if (own) Object.defineProperty(owner, name, own);
    else Reflect.deleteProperty(owner, name);
  }
}

/** Timers that ring when `pass` is called. */
export class FakeTime {
  constructor() {
    this.now = 0;
    this.number = 0;
    /** @type {Map<number, { at: number, ring: () => void }>} */
    this.timers = new Map();
  }

  /** @param {(time: FakeTime) => unknown} run */
  static async during(run) {
    const time = new FakeTime();
    const set = (/** @type {() => void} */ ring, /** @type {number} */ pause) => {
      time.number += 1;
      time.timers.set(time.number, { at: time.now + pause, ring });
      return time.number;
    };
    const clear = (/** @type {number} */ number) => time.timers.delete(number);
    await replacing(window, "setTimeout", set, () =>
      replacing(window, "clearTimeout", clear, () => run(time)),
    );
  }

  /** How long until the next timer rings; null if none is set. */
  get next() {
    const ends = [...this.timers.values()].map(({ at }) => at - this.now);
    return ends.length ? Math.min(...ends) : null;
  }

  /** @param {number} milliseconds */
  async pass(milliseconds) {
    this.now += milliseconds;
    for (const [number, { at, ring }] of [...this.timers]) {
      if (at > this.now) continue;
      this.timers.delete(number);
      ring();
    }
    await settle();
  }
}

/** A connection that tests open, close and speak through. */
export class FakeSocket extends EventTarget {
  static CONNECTING = 0;
  static OPEN = 1;
  static CLOSED = 3;
  /** @type {FakeSocket[]} all that were made, the newest last */
  static made = [];

  /** @param {URL} address */
  constructor(address) {
    super();
    this.address = String(address);
    this.readyState = FakeSocket.CONNECTING;
    /** @type {object[]} */
    this.sent = [];
    FakeSocket.made.push(this);
  }

  /** @param {() => unknown} run */
  static async during(run) {
    FakeSocket.made = [];
    await replacing(window, "WebSocket", FakeSocket, run);
  }

  static get newest() {
    const socket = FakeSocket.made.at(-1);
    if (!socket) throw new Error("nobody has connected");
    return socket;
  }

  /** @param {string} text */
  send(text) {
    this.sent.push(JSON.parse(text));
  }

  open() {
    this.readyState = FakeSocket.OPEN;
    this.dispatchEvent(new Event("open"));
  }

  /** @param {object} message */
  say(message) {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
  }

  close(reason = "") {
    this.readyState = FakeSocket.CLOSED;
    this.dispatchEvent(new CloseEvent("close", { reason }));
  }
}

/**
 * Storage that refuses everything, as a private window may.
 *
 * @param {() => unknown} run
 */
export async function withoutStorage(run) {
  const refuse = () => {
    throw new DOMException("no storage here", "SecurityError");
  };
  const storage = { getItem: refuse, setItem: refuse, clear: () => {} };
  await replacing(window, "localStorage", storage, run);
}

/**
 * A server that answers as told, and notes what it was asked.
 *
 * @param {(address: string, request: RequestInit) => Response | Promise<Response>} answer
 * @param {(asked: { address: string, request: RequestInit }[]) => unknown} run
 */
export async function withServer(answer, run) {
  /** @type {{ address: string, request: RequestInit }[]} */
  const asked = [];
  const fetch = async (/** @type {string} */ address, /** @type {RequestInit} */ request = {}) => {
    asked.push({ address, request });
    return answer(address, request);
  };
  await replacing(window, "fetch", fetch, () => run(asked));
}

// --- games

/** @import { GameDocument, SeatDocument } from "static/lib/types.js" */

/**
 * Somebody at a table, by default a person who is there.
 *
 * @param {number} number
 * @param {Partial<SeatDocument>} more
 * @returns {SeatDocument}
 */
export const seat = (number, more = {}) => ({
  seat: number,
  title: `Seat ${number}`,
  kind: "person",
  name: "",
  left: null,
  person: null,
  rating: null,
  rating_after: null,
  provisional: false,
  away: null,
  claimed: true,
  online: true,
  who: "",
  holding: "",
  ...more,
});

/**
 * A game of two persons after one move, seen by the first of them.
 *
 * @param {Partial<GameDocument>} more
 * @returns {GameDocument}
 */
export const seen = (more = {}) => ({
  id: "g1",
  version: 1,
  revision: 1,
  ply: 1,
  prompts: [],
  game: "any",
  title: "Any",
  options: {},
  position: "",
  to_move: 1,
  moves: [{ ply: 1, seat: 0, text: "a1", path: ["a1"] }],
  legal: [],
  directions: {},
  holdings: ["", ""],
  turned: false,
  svg: "",
  outcome: null,
  words: "",
  seats: [seat(0), seat(1)],
  clock: null,
  offers: { draw: null, takeback: null, rematch: [], declined: [] },
  swap: null,
  even: null,
  rated: false,
  result: null,
  event: null,
  rematch: null,
  chat: [],
  gallery: [],
  watching: { count: 0, names: [] },
  yours: [0],
  absent: null,
  stand_in: "level:3",
  can: ["resign", "abort", "offer-draw", "ask-takeback"],
  thinking: false,
  engine: null,
  readiness: null,
  ...more,
});
