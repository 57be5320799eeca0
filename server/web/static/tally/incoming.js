// What comes in: the game and its options, the rolls to compare with, and the photos.

import { button, h, s } from "../dom.js";
import { currentLanguage, t, told } from "../language.js";
import { optionWord } from "../live/options_words.js";
import { pickCorners } from "../overlay.js";
import { drawDrop } from "./photos.js";

const OTHER = /^sheet-of-(\w+)$/;

/**
 * Draw all of it.
 * @param {Object} page  `view`, `game`, `options`, `picking`
 * @param {Object} first  `games`, `matches`
 * @param {import("./photos.js").Uploads} uploads
 * @param {Object} act  `play(game, options)`, `begin()`, `change(path, body)`, `pick(sha)`
 */
export function drawIncoming(page, first, uploads, act) {
  const on = { page, first, act };
  return [
    drawGame(on),
    drawDrop((files) => uploads.add(files)),
    h(
      "ul",
      { class: "photo-list" },
      ...(page.view?.photos ?? []).map((photo) => drawPhotoLine(on, photo)),
      ...uploads.draw(),
    ),
  ];
}

const gameOf = ({ first }, id) => first.games.find((game) => game.id === id);

function drawGame(on) {
  const { page, first, act } = on;
  const fixed = Boolean(page.view?.sheets.length);
  const change = (event) => act.play(event.target.value, {});
  const options = first.games.map((one) =>
    h("option", { value: one.id, selected: one.id === page.game }, told(one, "title")),
  );
  const select = h("select", { name: "game", disabled: fixed, onchange: change }, ...options);
  const fresh = page.view?.photos.length
    ? button(t("pile_new"), act.begin, { "data-control": "new" })
    : null;
  return h(
    "form",
    { class: "options", autocomplete: "off", onsubmit: (event) => event.preventDefault() },
    h("label", {}, h("span", {}, t("pile_game")), select),
    ...gameOf(on, page.game).options.map((option) => drawOption(on, option)),
    ...drawRolls(on),
    fresh,
  );
}

/** The rolls that sheets are compared with: those of a match of this game, or of a log. */
function drawRolls({ page, first, act }) {
  const { view } = page;
  if (!view?.sheets.length) return [];
  const format = new Intl.DateTimeFormat(currentLanguage(), {
    dateStyle: "medium",
    timeStyle: "short",
  });
  const matches = first.matches.filter(({ game }) => game === view.game);
  const words = ({ begun }) => t("pile_rolls_match", { when: format.format(new Date(begun)) });
  const option = (value, text) => h("option", { value, selected: value === view.rolls }, text);
  const other = view.rolls && !matches.some(({ id }) => id === view.rolls);
  const select = h(
    "select",
    { name: "rolls", onchange: (event) => act.change("/rolls", { match: event.target.value }) },
    option("", t("pile_rolls_none")),
    ...matches.map((match) => option(match.id, words(match))),
    other ? option(view.rolls, view.rolls) : null,
  );
  const take = async (event) => {
    const [file] = event.target.files;
    if (file) act.change("/rolls", { log: await file.text(), name: file.name });
  };
  const look = { type: "file", accept: ".txt,.log,text/plain", "aria-label": t("pile_rolls_file") };
  return [
    h("label", {}, h("span", {}, t("pile_rolls")), select),
    h(
      "label",
      { class: "plain button" },
      t("pile_rolls_file"),
      h("input", { ...look, onchange: take }),
    ),
  ];
}

function drawOption({ page, act }, option) {
  const value = page.options[option.name] ?? option.default;
  const change = ({ target }) =>
    act.play(page.game, { ...page.options, [option.name]: target.value });
  const options = option.values.map((one) =>
    h("option", { value: one, selected: one === value }, optionWord(one, page.game)),
  );
  const name = `option_${option.name}`;
  const words = told(option).replace(/\.$/, "");
  return h("label", {}, h("span", {}, words), h("select", { name, onchange: change }, ...options));
}

function drawPhotoLine(on, photo) {
  const { page, act } = on;
  const away = button("×", () => act.change(`/photos/${photo.sha}/remove`, {}), {
    class: "close",
    "aria-label": t("pile_remove_photo", { name: photo.name }),
  });
  const thumb = photo.address
    ? h("img", { class: "thumb", src: photo.address, alt: "", loading: "lazy" })
    : null;
  const count = photo.sheets.length;
  const state = count ? h("span", { class: "photo-state" }, t("pile_read", { count })) : null;
  const problems = photo.problems.map((problem) =>
    h("span", { class: "photo-state", role: "alert" }, told(problem)),
  );
  const look = problems.length ? "photo-line failed" : "photo-line";
  return h(
    "li",
    { class: look, "data-photo": photo.sha },
    thumb,
    h("span", { class: "photo-name" }, photo.name),
    state,
    ...problems,
    ...drawWaysOut(on, photo),
    away,
    page.picking === photo.sha ? drawPicking(on, photo) : null,
  );
}

/** What can be done about a photo that was not read. */
function drawWaysOut(on, photo) {
  const { page, act } = on;
  if (!photo.problems.length || !photo.address || photo.sheets.length) return [];
  const other = photo.problems.map(({ reason }) => OTHER.exec(reason)?.[1]).find(Boolean);
  if (other && gameOf(on, other) && !page.view.sheets.length) {
    const words = t("pile_as_game", { game: told(gameOf(on, other), "title") });
    return [button(words, () => act.play(other, {}), { "data-control": "other" })];
  }
  const pick = () => act.pick(page.picking === photo.sha ? null : photo.sha);
  return other ? [] : [button(t("pile_corners"), pick, { "data-control": "corners" })];
}

function drawPicking({ act }, photo) {
  const [width, height] = photo.size;
  const figure = h(
    "figure",
    { class: "photo" },
    h("img", { src: photo.address, alt: t("pile_photo_label", { name: photo.name }) }),
    s("svg", { viewBox: `0 0 ${width} ${height}` }),
  );
  figure.style.setProperty("--ratio", String(width / height));
  const line = h("p", { class: "note", role: "status" }, t("pile_corners_ask", { count: 4 }));
  const ask = (count) => {
    line.textContent = t("pile_corners_ask", { count: 4 - count });
  };
  const done = (corners) => {
    act.pick(null);
    act.change(`/photos/${photo.sha}/read`, { corners });
  };
  pickCorners(figure, done, ask);
  return h("div", { class: "picking-corners" }, line, figure);
}
