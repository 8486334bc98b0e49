import { Backoff, formatClock } from "static/lib/time.js";
import { equal, ok, test } from "./testing.js";

test("a clock shows minutes and seconds, rounded up", () => {
  equal(formatClock(0), "0:00");
  equal(formatClock(1), "0:01");
  equal(formatClock(9_999), "0:10");
  equal(formatClock(61_000), "1:01");
  equal(formatClock(3_599_000), "59:59");
});

test("a clock of hours shows minutes, a clock of days hours", () => {
  equal(formatClock(3_600_000), "1 h 0 min");
  equal(formatClock(86_399_000), "23 h 59 min");
  equal(formatClock(86_400_000), "1 d 0 h");
  equal(formatClock(3 * 86_400_000 + 7_200_000), "3 d 2 h");
});

test("pauses double up to the longest, and begin anew after a success", () => {
  const backoff = new Backoff(500, 3000);
  ok(!backoff.isRetrying);
  equal(
    [1, 2, 3, 4, 5].map(() => backoff.next()),
    [500, 1000, 2000, 3000, 3000],
  );
  ok(backoff.isRetrying);
  backoff.reset();
  ok(!backoff.isRetrying);
  equal(backoff.next(), 500);
});
