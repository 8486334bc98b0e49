// What is being played now: small boards that go on as the games do.

import { listPlayed } from "../../lib/api.js";
import { updateList } from "../../lib/gamelist.js";
import { countSeekers } from "../../lib/lobby.js";
import { $, find, readData } from "../../lib/page.js";
import { t } from "../../lib/texts.js";
import { wait } from "../../lib/time.js";

const PAUSE = 5000; // milliseconds

/** Look again and again, while the page is in sight. */
export async function watch() {
  const section = $("playing");
  const list = find("ul", section);
  for (;;) {
    await wait(PAUSE);
    if (document.hidden) continue;
    const seekers = await countSeekers();
    if (seekers) $("seekers").textContent = seekers;
    const games = await listPlayed(Number(readData(list, "shown")));
    if (!games) continue;
    const entries = games.map(({ id, ply, title, seats }) => {
      const names = seats.map((seat) => seat.name).join(", ");
      return { id, ply, who: `${title}: ${names}`, note: t("move {n}", { n: ply }) };
    });
    updateList(list, entries);
    section.hidden = !entries.length;
  }
}
