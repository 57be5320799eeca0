// Drawing one picture of the page: its places to drop, its reading, its board to correct.

import { drawChoices } from "./choices.js";
import { button, h } from "./dom.js";
import { drawEditor } from "./editor.js";
import { t, told } from "./language.js";
import { drawPhoto, pickCorners } from "./overlay.js";
import { doubts, standing } from "./reading.js";
import { qualityWords } from "./words.js";

const ACCEPT = "image/*,.heic,.heif";

/**
 * The content of a slot's element.
 * @param {import("./slot.js").Slot} slot
 * @param {(slot: Object) => Node[]} drawRead  draws a picture that was read
 */
export function drawSlot(slot, drawRead) {
  const optional = slot.optional ? h("small", {}, ` ${t("optional")}`) : null;
  const tools = slot.view || slot.failure ? drawTools(slot) : null;
  const title = h("h2", {}, t(slot.name), optional);
  return [h("header", {}, title, tools), ...drawBody(slot, drawRead)];
}

function drawTools(slot) {
  const replace = h("label", { class: "plain button" }, t("replace"), fileInput(slot));
  const remove = button(t("remove"), () => slot.remove());
  return h("div", { class: "tools" }, replace, remove);
}

function drawBody(slot, drawRead) {
  const wrong = slot.failure
    ? [h("p", { class: "note bad", role: "alert" }, told(slot.failure))]
    : [];
  if (slot.busy) {
    const words = t("busy", { name: slot.loading.name });
    return [...wrong, h("p", { class: "busy", role: "status" }, words)];
  }
  return [...wrong, ...(slot.view ? drawRead(slot) : [drawDrop(slot)])];
}

function drawDrop(slot) {
  const camera = fileInput(slot, { accept: "image/*", capture: "environment" });
  return h(
    "div",
    { class: "drop" },
    h("p", {}, t(slot.words.drop)),
    h(
      "div",
      { class: "buttons" },
      h("label", { class: "button" }, t("choose"), fileInput(slot)),
      h("label", { class: "button second" }, t("take_photo"), camera),
    ),
  );
}

function fileInput(slot, attributes = { accept: ACCEPT }) {
  const taken = (event) => slot.take(event.target.files[0]);
  return h("input", { type: "file", ...attributes, onchange: taken, "aria-label": t(slot.name) });
}

/** A picture of a board: its photo, and the board to correct. */
export function drawView(slot) {
  const chosen = (row, column) => slot.open && slot.chosen[0] === row && slot.chosen[1] === column;
  const photo = drawPhoto(slot.view, slot.picking ? null : slot.reading, {
    label: t("photo_label", { name: slot.file.name }),
    classes: (row, column) => [
      ...standing(slot.reading, row, column),
      ...(chosen(row, column) ? ["chosen"] : []),
    ],
    choose: (row, column) => slot.change({ chosen: [row, column], open: true, focus: "choice" }),
  });
  if (slot.picking) return [photo, drawPicking(slot, photo)];
  const parts = [
    slot.reading ? null : drawRefusal(slot.view.refused),
    slot.readings.length > 1 ? drawSwitch(slot) : null,
    slot.reading ? drawBoardPart(slot) : null,
    drawFacts(slot),
  ];
  return [photo, h("div", { class: "side" }, ...parts)];
}

/** Why a picture was refused and what to do. */
export function drawRefusal(refused) {
  if (!refused) return null;
  const sentence = h("p", {}, h("strong", {}, told(refused)), " ", told(refused, "advice"));
  return h("div", { class: "note doubt" }, sentence);
}

function drawBoardPart(slot) {
  const { chosen, open, marks } = slot;
  const place = { chosen, open, marks, label: t("board_label", { name: t(slot.name) }) };
  const change = (next) => slot.change(next);
  const count = doubts(slot.reading).length;
  const line = { class: count ? "count doubt" : "count" };
  return h(
    "div",
    { class: "board-part" },
    h("p", line, t(count ? "doubts" : "no_doubts", { count })),
    drawEditor(slot.reading, place, change),
    open
      ? drawChoices(slot.reading, slot.view, place, change)
      : h("p", { class: "hint" }, t("click_hint")),
  );
}

function drawSwitch(slot) {
  const count = slot.readings.length;
  const buttons = slot.readings.map((_, at) =>
    button(t("board_number", { n: at + 1 }), () => slot.choose(at), {
      "aria-pressed": String(at === slot.at),
    }),
  );
  const title = h("span", {}, t("several", { count }));
  return h("div", { class: "switch", role: "group" }, title, ...buttons);
}

/** Advice and figures of a picture, and corners by hand. */
export function drawFacts(slot) {
  const facts = [
    ...slot.view.advice.map((advice) => h("li", { class: "bad" }, told(advice))),
    h("li", {}, qualityWords(slot.view)),
  ];
  const byHand = button(t(slot.words.corners), () => slot.pick(true));
  return h("div", { class: "facts" }, h("ul", {}, ...facts), byHand);
}

/** Ask for four corners on the photo. */
export function drawPicking(slot, photo) {
  const line = h("p", { class: "note", role: "status" }, t(slot.words.ask, { count: 4 }));
  const ask = (count) => {
    line.textContent = t(slot.words.ask, { count: 4 - count });
  };
  pickCorners(photo, (corners) => slot.take(slot.file, corners), ask);
  return h(
    "div",
    {},
    line,
    button(t("cancel"), () => slot.pick(false)),
  );
}
