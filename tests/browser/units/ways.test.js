import { makeChoice, pickArrow, spellWay } from "static/board/ways.js";
import { equal, test } from "./testing.js";

test("compass points are spelled, and nothing else is", () => {
  equal(spellWay("ne"), "north-east");
  equal(spellWay("w"), "west");
  equal(spellWay("pass"), "pass");
  equal(spellWay("d4"), "d4");
});

test("arrows point as the board is seen", () => {
  equal(pickArrow([40, 0]), "→");
  equal(pickArrow([20, -34.6]), "↗");
  equal(pickArrow([-20, 34.6]), "↙"); // the same lean on a board that is turned
  equal(pickArrow([-40, 0]), "←");
  equal(pickArrow([0, 40]), "↓");
});

test("a direction has an arrow for the eye and words for the ear", () => {
  const button = makeChoice("ne", [20, -34.6], () => {});
  equal(button.textContent, "↗ne");
  equal(button.ariaLabel, "ne, north-east");
  equal(makeChoice("pass", undefined, () => {}).textContent, "pass");
});
