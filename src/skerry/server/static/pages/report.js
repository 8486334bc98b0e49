// A report: its games can be looked through, each fetched when somebody begins to.

import { bringToLife } from "../board/replay.js";
import { fetchFrames } from "../lib/api.js";
import { findAll, readData } from "../lib/page.js";
import { dark, theme } from "../lib/preferences.js";

for (const box of findAll(".replay")) {
  const redraw = bringToLife(box, () => fetchFrames(readData(box, "from"), theme()));
  dark.addEventListener("change", redraw);
}
