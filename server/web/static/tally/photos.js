// Taking photos in: dropped, chosen or taken with the phone; each with its own progress.

import { Failure } from "../api.js";
import { button, h } from "../dom.js";
import { inBoth, percent, t, told } from "../language.js";

const ACCEPT = "image/*,.heic,.heif";
const MB = 2 ** 20;
const WORDS = { waiting: "pile_waiting", sending: "pile_sending", reading: "pile_reading" };

/**
 * Photos on their way: one after the other is sent and read; what fails stays in the list with
 * its reason, and nothing else is touched.
 */
export class Uploads {
  /**
   * @param {number} limit  largest file, bytes
   * @param {(form: FormData, progress: (share: number) => void) => Promise<Object>} send
   * @param {(answer: Object) => void} taken  a photo was read
   * @param {() => void} changed  something is to be drawn anew
   */
  constructor(limit, send, taken, changed) {
    Object.assign(this, { limit, send, taken, changed });
    this.files = [];
    this.busy = false;
  }

  add(files) {
    for (const file of files) this.files.push({ file, state: "waiting", failure: null, share: 0 });
    this.changed();
    this.work();
  }

  again(one) {
    Object.assign(one, { state: "waiting", failure: null });
    this.changed();
    this.work();
  }

  drop(one) {
    this.files = this.files.filter((other) => other !== one);
    this.changed();
  }

  async work() {
    if (this.busy) return;
    this.busy = true;
    for (let one = this.next(); one; one = this.next()) await this.take(one);
    this.busy = false;
    this.changed();
  }

  next() {
    return this.files.find(({ state }) => state === "waiting");
  }

  async take(one) {
    const { file } = one;
    one.state = "sending";
    this.changed();
    try {
      if (file.size > this.limit) throw new Failure(tooLarge(file.size, this.limit));
      const form = new FormData();
      form.append("picture", file, file.name || "photo.jpg");
      const answer = await this.send(form, (share) => {
        Object.assign(one, { share, state: share < 1 ? "sending" : "reading" });
        this.changed();
      });
      if (answer.known) throw new Failure(inBoth("pile_known"));
      this.files = this.files.filter((other) => other !== one);
      this.taken(answer);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      Object.assign(one, { state: "failed", failure: error.told });
    }
    this.changed();
  }

  /** The photos that are not in the pile yet. */
  draw() {
    return this.files.map((one) => this.drawOne(one));
  }

  drawOne(one) {
    const { file, state, failure, share } = one;
    const meter = h("progress", { max: 1, value: state === "sending" ? share : null });
    const again = failure ? button(t("pile_again"), () => this.again(one)) : null;
    const away =
      failure || state === "waiting"
        ? button("×", () => this.drop(one), {
            class: "close",
            "aria-label": t("pile_remove_photo", { name: file.name }),
          })
        : null;
    return h(
      "li",
      { class: failure ? "photo-line failed" : "photo-line", "data-state": state },
      h("span", { class: "photo-name" }, file.name),
      failure
        ? h("span", { class: "photo-state", role: "alert" }, told(failure))
        : h("span", { class: "photo-state" }, t(WORDS[state], { share: percent(share) })),
      state === "sending" || state === "reading" ? meter : null,
      again,
      away,
    );
  }
}

function tooLarge(size, limit) {
  const mb = (bytes) => String(Math.ceil(bytes / MB));
  return inBoth("pile_too_large", { size: mb(size), limit: mb(limit) });
}

/** Send a form and hear how much of it has gone; `fetch` does not tell. */
export function upload(address, form, progress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", address);
    request.upload.addEventListener("progress", ({ loaded, total }) => progress(loaded / total));
    request.upload.addEventListener("load", () => progress(1));
    request.addEventListener("error", () => reject(new Failure(inBoth("no_server"))));
    request.addEventListener("load", () => {
      const answer = parsed(request.responseText);
      if (request.status < 300 && answer) resolve(answer);
      const status = { status: request.status };
      reject(new Failure(answer?.error ?? inBoth("odd_answer", status)));
    });
    request.send(form);
  });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A place to drop photos on, with the buttons to choose or take them. */
export function drawDrop(take) {
  const input = (key, attributes) =>
    h("input", {
      type: "file",
      multiple: true,
      ...attributes,
      "aria-label": t(key),
      onchange: (event) => {
        take([...event.target.files]);
        event.target.value = ""; // the same photo may be chosen again
      },
    });
  return h(
    "div",
    { class: "drop" },
    h("p", {}, t("pile_drop")),
    h(
      "div",
      { class: "buttons" },
      h("label", { class: "button" }, t("pile_choose"), input("pile_choose", { accept: ACCEPT })),
      h(
        "label",
        { class: "button second" },
        t("take_photo"),
        input("take_photo", { accept: "image/*", capture: "environment" }),
      ),
    ),
  );
}
