// The live picture: the newest one that the camera loop left, and the reading drawn over it.

import { h, s } from "../dom.js";
import { t } from "../language.js";
import { diceSigns, points, sign } from "./overlay_parts.js";

const PAUSE_MS = 120;
const IDLE_MS = 1000;

/** The live picture of a table. Asks for the next picture only when the last one is on screen. */
export class LivePicture {
  constructor(address) {
    this.address = address;
    this.image = h("img", { alt: "" });
    this.svg = s("svg", { "aria-hidden": "true" });
    this.caption = h("figcaption", {});
    this.element = h("figure", { class: "photo live empty" }, this.image, this.svg, this.caption);
    this.tag = null;
    this.shown = null;
    this.run();
  }

  async run() {
    for (;;) {
      const looking = !document.hidden && !this.element.parentElement?.hidden;
      if (looking) await this.take().catch(() => this.fail());
      const idle = !looking || this.element.classList.contains("empty");
      await new Promise((wake) => setTimeout(wake, idle ? IDLE_MS : PAUSE_MS));
    }
  }

  async take() {
    const headers = this.tag ? { "If-None-Match": this.tag } : {};
    const response = await fetch(this.address, { headers, cache: "no-store" });
    if (response.status === 304) return;
    if (response.status !== 200) return this.fail();
    this.tag = response.headers.get("ETag");
    const old = this.shown;
    this.shown = URL.createObjectURL(await response.blob());
    this.image.src = this.shown;
    await this.image.decode().catch(() => {});
    if (old) URL.revokeObjectURL(old);
    this.element.classList.remove("empty");
    const { naturalWidth: width, naturalHeight: height } = this.image;
    if (width) this.element.style.setProperty("--ratio", String(width / height));
  }

  fail() {
    this.element.classList.add("empty");
  }

  /** Draw the newest reading over the picture; dots only where they mean something. */
  draw(status, dots) {
    this.image.alt = t("live_picture");
    this.caption.textContent = t("picture_none");
    const eye = status?.eye;
    this.svg.replaceChildren();
    if (!eye?.size) return;
    this.svg.setAttribute("viewBox", `0 0 ${eye.size[0]} ${eye.size[1]}`);
    if (eye.quad) this.svg.append(s("polygon", { class: "outline", points: points(eye.quad) }));
    for (const cell of eye.cells ?? [])
      this.svg.append(...sign(dots ? cell : { ...cell, dot: null }));
    if (status.dice) this.svg.append(...diceSigns(status.dice));
  }
}
