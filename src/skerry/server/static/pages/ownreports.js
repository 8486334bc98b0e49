// Reports that are being measured: how far each is, as it goes on.

import { find, findAll, readData } from "../lib/page.js";
import { ask, isRefusal } from "../lib/requests.js";

const PAUSE = 2000; // milliseconds between two looks
const UNDER_WAY = ["running", "open"];

/** @typedef {{ name: string, state: string, part: number, games: number }} Progress */

const shown = findAll("#reports > li");
if (shown.some((item) => UNDER_WAY.includes(readData(item, "state")))) setTimeout(look, PAUSE);

async function look() {
  const found = await ask("/reports/own.json", {});
  if (!isRefusal(found)) show(found);
  setTimeout(look, PAUSE);
}

/**
 * Show what is new; a page whose reports are others, or done, is fetched again.
 *
 * @param {Progress[]} reports
 */
function show(reports) {
  const before = shown.map((item) => `${readData(item, "name")} ${readData(item, "state")}`);
  const now = reports.map((report) => `${report.name} ${report.state}`);
  if (before.join() !== now.join()) return location.reload();
  for (const [number, { part, games }] of reports.entries()) {
    const item = shown[number];
    const [bar] = item ? findAll("progress", item, HTMLProgressElement) : [];
    if (!item || !bar) continue;
    bar.value = part;
    const told = find(".told", item);
    told.textContent = readData(told, "games").replace("{games}", games.toLocaleString());
  }
}
