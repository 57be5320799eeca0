// One line that says whether the program sees the table, and how.

import { h } from "../dom.js";
import { t, told } from "../language.js";

/** The state of the line to the server and of the camera, and what bars the view. */
export function drawStatus({ view, status, up }) {
  if (!up) return [light("bad", t("link_lost"))];
  if (!view?.camera || !status) return view ? [light("hand", t("by_hand"))] : [];
  const { kind, fps, hand, pose, problem, away } = status;
  if (away) return [light("bad", t("loop_away"))];
  const good = kind === "live" && !problem;
  const parts = [light(good ? "good" : kind === "ended" ? "hand" : "bad", t(`source_${kind}`))];
  if (problem) parts.push(h("span", { class: "problem" }, told(problem)));
  if (kind === "live") {
    if (pose === "lost" && !problem) parts.push(h("span", { class: "problem" }, t("pose_lost")));
    if (pose === "moved") parts.push(h("span", { class: "problem" }, t("pose_moved")));
    if (hand) parts.push(h("span", {}, t("hand_in")));
    if (fps) parts.push(h("small", {}, t("rate", { fps: Math.round(fps) })));
  }
  return parts;
}

function light(look, words) {
  return h(
    "span",
    { class: `light ${look}` },
    h("i", { "aria-hidden": "true" }),
    h("strong", {}, words),
  );
}
