// Earlier piles, the newest first.

import { h } from "../dom.js";
import { currentLanguage, t, told } from "../language.js";

/** A list of links; nothing where there are none. */
export function drawOlder({ piles, games }) {
  if (!piles.length) return [];
  const format = new Intl.DateTimeFormat(currentLanguage(), {
    dateStyle: "medium",
    timeStyle: "short",
  });
  const lines = piles.map(({ address, game, begun, sheets: count }) => {
    const when = format.format(new Date(begun * 1000));
    const title = told(
      games.find(({ id }) => id === game),
      "title",
    );
    const words = t("pile_line", { game: title, count, when });
    return h("li", {}, h("a", { href: address }, words));
  });
  return [h("details", {}, h("summary", {}, t("pile_older")), h("ul", {}, ...lines))];
}
