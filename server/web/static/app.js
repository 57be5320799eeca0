// The page: two tasks, their pictures, and the ruling that follows every change.

import { Failure, ruleLayouts } from "./api.js";
import { DiceSlot } from "./dice/slot.js";
import { h } from "./dom.js";
import { applyLanguage, onLanguage, setLanguage, told } from "./language.js";
import { chosenOptions, drawOptions } from "./options.js";
import { sightOf } from "./reading.js";
import { drawRuling, drawVerdict } from "./ruling.js";
import { Slot } from "./slot.js";

const byId = (id) => document.getElementById(id);
const form = byId("options");
const slots = {
  before: new Slot({ name: "before", changed: ruleAgain }),
  during: new Slot({ name: "during", gaps: true, optional: true, changed: ruleAgain }),
  after: new Slot({ name: "after", changed: ruleAgain }),
};
const single = new Slot({ name: "single", changed: () => {} });
const diceGame = byId("dice-game");
const dice = new DiceSlot({ name: "dice_slot", game: diceGame.value, changed: () => {} });
const TABS = ["rule", "read", "dice"];
let answer = null;
let failure = null;
let asking = null;

/** Ask for a ruling on the boards as they stand; an older question is dropped. */
async function ruleAgain() {
  asking?.abort();
  asking = new AbortController();
  const { before, during, after } = slots;
  if (!before.reading || !after.reading) {
    answer = failure = null;
    return drawAnswer();
  }
  const question = {
    before: sightOf(before.reading),
    after: sightOf(after.reading),
    during: during.reading ? [sightOf(during.reading)] : [],
    ...chosenOptions(form),
  };
  try {
    answer = await ruleLayouts(question, asking.signal);
    failure = null;
  } catch (error) {
    if (error.name === "AbortError") return undefined;
    if (!(error instanceof Failure)) throw error;
    answer = null;
    failure = error.told;
  }
  return drawAnswer();
}

function drawAnswer() {
  const show = (picture, where) => slots[picture.replace(/\[.*/, "")].show(where);
  const turn = (degrees) => {
    form.elements.turn_after.value = String(degrees);
    ruleAgain();
  };
  const wrong = failure ? [h("p", { class: "note bad", role: "alert" }, told(failure))] : [];
  byId("verdict").replaceChildren(...(answer ? [drawVerdict(answer)] : wrong));
  byId("ruling").replaceChildren(...(answer ? [drawRuling(answer, show, turn)] : []));
}

function showTab(name) {
  for (const tab of TABS) {
    const chosen = tab === name;
    byId(`panel-${tab}`).hidden = !chosen;
    byId(`tab-${tab}`).setAttribute("aria-selected", String(chosen));
    byId(`tab-${tab}`).tabIndex = chosen ? 0 : -1;
  }
}

function redraw() {
  drawOptions(form);
  for (const slot of [...Object.values(slots), single, dice]) slot.draw();
  drawAnswer();
}

/** Pictures that the command line has put on the page, such as the demo's. */
async function takeShown() {
  const list = JSON.parse(byId("shown").textContent);
  await Promise.all(
    Object.entries(list).map(async ([name, address]) => {
      const blob = await (await fetch(address)).blob();
      const file = new File([blob], address.split("/").pop(), { type: blob.type });
      await slots[name].take(file);
    }),
  );
}

for (const button of document.querySelectorAll("[data-lang]")) {
  button.addEventListener("click", () => setLanguage(button.dataset.lang));
}
for (const [at, name] of TABS.entries()) {
  byId(`tab-${name}`).addEventListener("click", () => showTab(name));
  byId(`tab-${name}`).addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const step = event.key === "ArrowLeft" ? TABS.length - 1 : 1;
    const other = TABS[(at + step) % TABS.length];
    showTab(other);
    byId(`tab-${other}`).focus();
  });
}
form.addEventListener("change", () => {
  drawOptions(form);
  ruleAgain();
});
form.addEventListener("submit", (event) => event.preventDefault());
// A picture dropped beside its place must not replace the page and lose what is on it.
for (const name of ["dragover", "drop"])
  window.addEventListener(name, (event) => event.preventDefault());

byId("slots").append(slots.before.element, slots.during.element, slots.after.element);
byId("single").append(single.element);
byId("dice").append(dice.element);
diceGame.addEventListener("change", () => dice.play(diceGame.value));
onLanguage(redraw);
applyLanguage();
redraw();
showTab("rule");
takeShown();
