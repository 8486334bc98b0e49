// What every page has in its header: how many of your games wait for you.

import { $ } from "../lib/page.js";
import { follow, isYourTurn } from "../lib/yours.js";

const link = $("waiting");
const words = link.textContent ?? "";

follow((games) => {
  const waiting = games.filter(isYourTurn).length;
  link.textContent = waiting ? `${words} (${waiting})` : words;
  link.title = waiting === 1 ? "One waits for you" : waiting ? `${waiting} wait for you` : "";
});
