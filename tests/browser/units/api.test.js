import {
  changeGame,
  createGame,
  fetchBoard,
  fetchFrame,
  formatOptions,
  previewMove,
} from "static/lib/api.js";
import { readOptions, writeOptions } from "static/lib/newgame.js";
import { make } from "static/lib/page.js";
import { isRefusal } from "static/lib/requests.js";
import { remember } from "static/lib/secrets.js";
import { withServer } from "./fakes.js";
import { equal, ok, test } from "./testing.js";

const NEW_GAME = { game: "any", options: {}, seats: ["person"] };
const offline = () => {
  throw new TypeError("Failed to fetch");
};

/** @type {{ theme: "dark", flipped: boolean }} */
const LOOK = { theme: "dark", flipped: true };
/** @type {{ theme: "light", turned: boolean }} */
const SEEN = { theme: "light", turned: false };

test("a server that cannot be reached is a refusal and no exception", async () => {
  await withServer(offline, async () => {
    const answer = await createGame(NEW_GAME);
    ok(isRefusal(answer));
    ok(isRefusal(answer) && answer.error.startsWith("The server cannot be reached."));
  });
});

test("an answer that is no JSON is a refusal as well", async () => {
  await withServer(
    () => new Response("<html>Bad gateway", { status: 502 }),
    async () => ok(isRefusal(await createGame(NEW_GAME))),
  );
});

test("what the server refuses comes with its words and the game as it is", async () => {
  const refusal = { error: "somebody was faster", game: { id: "g1" } };
  await withServer(
    () => Response.json(refusal, { status: 409 }),
    async () => equal(await changeGame("g1", "moves", {}, LOOK), refusal),
  );
});

test("a null error is none", () => {
  ok(!isRefusal({ error: null, svg: "" }));
  ok(!isRefusal({}));
});

test("secrets of the game in question are shown, and no others", async () => {
  remember("g1", ["one", "two"]);
  await withServer(
    () => Response.json({}),
    async (asked) => {
      await changeGame("g1", "chat", { text: "hi" }, LOOK);
      await createGame(NEW_GAME);
      const shown = asked.map(({ request }) => new Headers(request.headers).get("X-Seat"));
      equal(shown, ["one,two", ""]);
      equal(asked[0]?.address, "/api/games/g1/chat?theme=dark&flipped=true");
      equal(asked[0]?.request.body, '{"text":"hi"}');
    },
  );
});

test("previews are nothing where the server knows none, and can be given up", async () => {
  const { signal } = new AbortController();
  await withServer(
    () => Response.json({ error: "no" }, { status: 422 }),
    async (asked) => {
      equal(await previewMove("g1", ["a1", "ne"], { theme: "dark", turned: true }, signal), null);
      equal(asked[0]?.address, "/api/games/g1/preview?path=a1%2Cne&theme=dark&turned=true");
      ok(asked[0]?.request.signal === signal);
    },
  );
});

test("pictures are text, and null where there is none", async () => {
  await withServer(
    () => new Response("<svg/>", { headers: { "X-Path": "a1,a2" } }),
    async () => {
      equal(await fetchBoard("g1", 3, SEEN), "<svg/>");
      equal(await fetchFrame("any", 0, "light"), { svg: "<svg/>", path: ["a1", "a2"] });
    },
  );
  await withServer(offline, async () => equal(await fetchBoard("g1", 3, SEEN), null));
});

test("options are read from a form where they differ, and written into it", () => {
  const form = make("form");
  form.innerHTML = '<input data-option="size" value="5"><input data-option="pieces" value="9">';
  equal(readOptions(form), {});
  writeOptions(form, "size=7,unknown=1,");
  equal(readOptions(form), { size: 7 });
  equal(formatOptions({ size: 7, pieces: 2 }), "size=7,pieces=2");
});
