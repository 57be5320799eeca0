// Setting up a table: the tray on the live picture, and each of its dice shown once.

import { Failure } from "../api.js";
import { button, h } from "../dom.js";
import {
  applyLanguage,
  currentLanguage,
  inBoth,
  onLanguage,
  setLanguage,
  t,
  told,
} from "../language.js";
import { follow, post } from "../live/feed.js";
import { LivePicture } from "../live/picture.js";
import { COLOURS, drawDie } from "./die.js";
import { Overlay, WHOLE } from "./frame.js";

const first = JSON.parse(document.getElementById("first").textContent);
const byId = (id) => document.getElementById(id);

/** Where the box around a die begins when none is seen: in the middle, about as large as a die. */
const MIDDLE = [0.46, 0.43, 0.54, 0.57];

const page = {
  zone: first.zone, // as it is being set
  kept: first.zone, // as the table has it
  dice: first.dice,
  close: first.close,
  colour: null, // whose box is being set
  box: null,
  byHand: false, // the box was moved by people: dice seen do not move it any more
  status: null,
  failure: null,
  said: "", // what was kept last, for people who do not see the picture
  busy: false,
};

const picture = new LivePicture(first.picture);
byId("eye").append(picture.element);
const overlay = new Overlay(picture.element, {
  zone(zone) {
    page.zone = zone;
    draw();
  },
  box(box) {
    Object.assign(page, { box, byHand: true });
    draw();
  },
});

/** Put a part anew only where it says something else: a button must not go under a finger. */
function put(id, says, drawPart) {
  const key = JSON.stringify([currentLanguage(), ...says]);
  if (byId(id).dataset.says === key) return;
  byId(id).dataset.says = key;
  byId(id).replaceChildren(...drawPart());
}

const isChanged = () => JSON.stringify(page.zone) !== JSON.stringify(page.kept);

function draw() {
  const held = document.activeElement?.id;
  const { zone, kept, busy, dice, close, colour, said } = page;
  overlay.draw({ zone, editing: colour === null, box: page.box });
  put("tray", [zone !== null, kept !== null, isChanged(), busy], drawTray);
  put("dice", [Object.keys(dice), close, colour, said], drawDice);
  const { failure } = page;
  const note = failure ? [h("p", { class: "note bad", role: "alert" }, told(failure))] : [];
  byId("trouble").replaceChildren(...note);
  drawCrop();
  if (held && document.activeElement === document.body)
    byId(held)?.focus({ preventScroll: true });
}

function drawTray() {
  const { zone, kept, busy } = page;
  const changed = isChanged();
  const begin = () => {
    page.zone = WHOLE;
    draw();
    byId("corner-0")?.focus();
  };
  const act = (id, key, press, off) =>
    h("button", { type: "button", id, class: "button", disabled: off, onclick: press }, t(key));
  const buttons = zone
    ? [
        act("keep-tray", "tray_keep", () => keepTray(page.zone), busy || !changed),
        button(t("tray_whole"), () => keepTray(null), { id: "no-tray", disabled: busy }),
      ]
    : [act("set-tray", "tray_set", begin, busy)];
  const state = changed ? "tray_open" : kept ? "tray_kept" : "tray_none";
  return [
    h("h3", { id: "tray-title" }, t("tray_title")),
    h("p", {}, t("tray_words")),
    h("p", { class: "state", role: "status" }, t(state)),
    h("div", { class: "buttons" }, ...buttons),
  ];
}

function drawDice() {
  return [
    h("h3", { id: "dice-title" }, t("setup_dice")),
    h("p", {}, t("setup_dice_words")),
    h("ul", { class: "set" }, ...Object.keys(COLOURS).map(drawOwn)),
    ...page.close.map(([one, two]) =>
      h(
        "p",
        { class: "note doubt" },
        t("setup_close", { one: t(`colour_${one}`), two: t(`colour_${two}`) }),
      ),
    ),
    h("p", { class: "state", role: "status" }, page.said),
  ];
}

function drawOwn(colour) {
  const kept = colour in page.dice;
  const name = t(`colour_${colour}`);
  const open = page.colour === colour;
  const show = () => {
    Object.assign(page, { colour, byHand: false, box: seenBox() ?? MIDDLE, said: "" });
    draw();
    byId("die-box")?.focus({ preventScroll: true });
  };
  const parts = open
    ? [
        h("canvas", {
          id: "crop",
          class: "crop",
          width: 128,
          height: 128,
          role: "img",
          "aria-label": t("crop_label"),
        }),
        h(
          "div",
          { class: "buttons" },
          h(
            "button",
            { type: "button", id: "keep-die", class: "button", onclick: () => keepDie(colour) },
            t("setup_this", { colour: name }),
          ),
          button(t("cancel"), stop, { id: "stop-die" }),
        ),
        h("p", { class: "hint" }, t("setup_box_words")),
      ]
    : [];
  return h(
    "li",
    { class: open ? "own open" : "own", "data-colour": colour },
    drawDie({ value: null, colour }),
    h("span", { class: "own-name" }, name, h("small", {}, t(kept ? "setup_known" : "setup_new"))),
    open
      ? null
      : button(t(kept ? "setup_again" : "setup_show"), show, {
          id: `show-${colour}`,
          "aria-label": `${t(kept ? "setup_again" : "setup_show")}: ${name}`,
        }),
    kept && !open
      ? button("×", () => send(first.die, { colour, box: null }), {
          class: "close",
          id: `forget-${colour}`,
          "aria-label": t("setup_forget", { colour: name }),
        })
      : null,
    ...parts,
  );
}

/** The box of the one die in view, in shares of the picture; null where none or several are. */
function seenBox() {
  const { status } = page;
  const inside = (status?.dice?.dice ?? []).filter((die) => die.in_zone !== false);
  if (inside.length !== 1 || !status.eye?.size) return null;
  const [width, height] = status.eye.size;
  const [left, top, right, bottom] = inside[0].box;
  return [left / width, top / height, right / width, bottom / height];
}

/** What lies in the box now, cut out of the live picture. */
function drawCrop() {
  const { image } = picture;
  const canvas = byId("crop");
  if (!canvas || !page.box || !image.naturalWidth) return;
  const [left, top, right, bottom] = page.box;
  const [width, height] = [image.naturalWidth, image.naturalHeight];
  const side = Math.max((right - left) * width, (bottom - top) * height);
  const [x, y] = [((left + right) / 2) * width, ((top + bottom) / 2) * height];
  canvas
    .getContext("2d")
    .drawImage(image, x - side / 2, y - side / 2, side, side, 0, 0, canvas.width, canvas.height);
}

function stop() {
  const { colour } = page;
  Object.assign(page, { colour: null, box: null });
  draw();
  byId(`show-${colour}`)?.focus({ preventScroll: true });
}

const keepTray = (zone) => send(first.tray, { zone });

async function keepDie(colour) {
  const done = await send(first.die, { colour, box: page.box });
  if (!done) return;
  page.said = t("setup_kept", { colour: t(`colour_${colour}`) });
  stop();
}

/** Have something kept; true once it is. */
async function send(address, body) {
  if (page.busy) return false;
  Object.assign(page, { busy: true, failure: null });
  draw();
  let done = false;
  try {
    const answer = await post(address, body);
    if (answer.waiting) page.failure = inBoth("waiting");
    else {
      const { zone, dice, close } = answer;
      Object.assign(page, { dice, close, kept: zone });
      if (address === first.tray) page.zone = zone;
      done = true;
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    page.failure = error.told;
  }
  page.busy = false;
  draw();
  return done;
}

for (const one of document.querySelectorAll("[data-lang]")) {
  one.addEventListener("click", () => setLanguage(one.dataset.lang));
}
picture.image.addEventListener("load", drawCrop);
onLanguage(() => {
  draw();
  picture.draw(null);
});
applyLanguage();
picture.draw(null);
draw();
follow(first.feed, {
  match() {},
  trouble(words) {
    page.failure = words;
    draw();
  },
  status(status) {
    page.status = status;
    const box = page.colour && !page.byHand ? seenBox() : null;
    if (!box || JSON.stringify(box) === JSON.stringify(page.box)) return;
    page.box = box;
    overlay.draw({ zone: page.zone, editing: false, box });
    drawCrop();
  },
  link() {},
});
