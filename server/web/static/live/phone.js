// A phone as the table's camera: its frames go to the server, the newest only.

import { Failure } from "../api.js";
import { h } from "../dom.js";
import { applyLanguage, inBoth, onLanguage, setLanguage, t, told } from "../language.js";
import { answerOf } from "./feed.js";

const byId = (id) => document.getElementById(id);
const first = JSON.parse(byId("first").textContent);
const PAUSE_MS = 60; // at most some 15 frames a second
const QUALITY = 0.85;
const WISH = {
  audio: false,
  video: { facingMode: { ideal: "environment" }, width: { ideal: 1280 }, height: { ideal: 720 } },
};

const video = byId("view");
const canvas = h("canvas");
const state = { stream: null, sent: [], said: null, answer: null, awake: null };

/** Ask for the camera; where there is none to be had, say why and what to do. */
async function begin() {
  if (!navigator.mediaDevices?.getUserMedia) return say(inBoth("phone_insecure"));
  try {
    state.stream = await navigator.mediaDevices.getUserMedia(WISH);
  } catch (error) {
    const keys = { NotAllowedError: "phone_denied", NotReadableError: "phone_busy" };
    return say(inBoth(keys[error.name] ?? "phone_none", { reason: error.name }));
  }
  video.srcObject = state.stream;
  video.hidden = false;
  await video.play();
  keepAwake();
  say(null);
  for (const track of state.stream.getTracks()) {
    track.addEventListener("ended", () => end(inBoth("phone_none", { reason: "ended" })));
  }
  draw();
  return sendFrames();
}

function end(said = null) {
  for (const track of state.stream?.getTracks() ?? []) track.stop();
  state.stream = null;
  state.awake?.release?.();
  video.hidden = true;
  say(said);
}

/** One frame after the other: the next is taken when the last has arrived. */
async function sendFrames() {
  while (state.stream) {
    try {
      await sendFrame();
      state.sent = [...state.sent.slice(-20), performance.now()];
      say(inBoth("phone_sending", { rate: rate() }));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (state.stream) say(error.told);
      await pause(1000);
    }
    await pause(PAUSE_MS);
  }
}

async function sendFrame() {
  const { videoWidth: width, videoHeight: height } = video;
  if (!width) return;
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  canvas.getContext("2d").drawImage(video, 0, 0);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
  await send(first.frames, { body: blob, headers: { "Content-Type": "image/jpeg" } });
}

async function send(address, options) {
  let response;
  try {
    response = await fetch(address, { method: "POST", ...options });
  } catch {
    throw new Failure(inBoth("no_server"));
  }
  return response.status === 204 ? null : answerOf(response);
}

/** A sleeping phone sees nothing; where the browser lets us, keep it awake. */
async function keepAwake() {
  try {
    state.awake = await navigator.wakeLock?.request("screen");
  } catch {
    state.awake = null;
  }
}

function rate() {
  const [oldest, newest] = [state.sent[0], state.sent.at(-1)];
  return newest > oldest ? Math.round((1000 * (state.sent.length - 1)) / (newest - oldest)) : 0;
}

async function handIn(event) {
  const [file] = event.target.files;
  if (!file) return;
  event.target.value = "";
  state.answer = inBoth("busy", { name: file.name });
  draw();
  const form = new FormData();
  form.append("picture", file, file.name);
  try {
    const { events, waiting } = await send(first.photos, { body: form });
    state.answer = inBoth(waiting ? "photo_waits" : events ? "photo_taken" : "photo_same");
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    state.answer = error.told;
  }
  draw();
}

function say(said) {
  state.said = said;
  draw();
}

function draw() {
  byId("said").textContent = state.said ? told(state.said) : "";
  byId("answer").textContent = state.answer ? told(state.answer) : "";
  byId("send").textContent = t(state.stream ? "phone_stop" : "phone_start");
}

const pause = (ms) => new Promise((wake) => setTimeout(wake, ms));

byId("send").addEventListener("click", () => (state.stream ? end() : begin()));
byId("photo").addEventListener("change", handIn);
// Coming back from sleep or another app: the lock is gone, and some browsers stop the picture.
document.addEventListener("visibilitychange", () => {
  if (document.hidden || !state.stream) return;
  keepAwake();
  video.play().catch(() => {});
});
for (const button of document.querySelectorAll("[data-lang]")) {
  button.addEventListener("click", () => setLanguage(button.dataset.lang));
}
onLanguage(draw);
applyLanguage();
draw();
