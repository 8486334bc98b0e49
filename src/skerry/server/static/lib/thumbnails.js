// Small boards of games, as templates/thumbnail.html makes them.

import { make } from "./page.js";

const [WIDTH, HEIGHT] = [160, 148];

/**
 * A small board in both themes, of which the style sheet shows one; the other is not even loaded.
 *
 * @param {{ id: string, ply: number }} game
 */
export function makeThumbnail({ id, ply }) {
  const pictures = ["light", "dark"].map((theme) => {
    const picture = make("img", { alt: "", width: WIDTH, height: HEIGHT, loading: "lazy" });
    picture.src = `/api/games/${id}/board.svg?theme=${theme}&at=${ply}`;
    return make("span", { className: `only-${theme}` }, picture);
  });
  return make("span", { className: "thumb" }, ...pictures);
}
