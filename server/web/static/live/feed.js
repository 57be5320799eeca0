// News from the server, and commands to it.

import { Failure } from "../api.js";
import { inBoth } from "../language.js";

const AGAIN_MS = 3000;

/**
 * Follow a match until the page is left. The browser reconnects by itself and says which event it
 * saw last; where the server refuses (too many viewers), it is asked again after a while.
 * @param {string} address
 * @param {Object} on
 * @param {(view: Object) => void} on.match  the match as it stands, after every change
 * @param {(status: Object) => void} on.status  camera, overlay, waiting commands
 * @param {(told: Object) => void} on.trouble  the database cannot be read
 * @param {(up: boolean) => void} on.link  whether the server can be heard
 */
export function follow(address, on) {
  const source = new EventSource(address);
  const hear = (name, take) =>
    source.addEventListener(name, (event) => take(JSON.parse(event.data)));
  source.addEventListener("open", () => on.link(true));
  source.addEventListener("error", () => {
    on.link(false);
    if (source.readyState === EventSource.CLOSED) setTimeout(() => follow(address, on), AGAIN_MS);
  });
  hear("match", on.match);
  hear("status", on.status);
  hear("trouble", on.trouble);
}

/** Send a JSON body; the answer, or a `Failure` with a text in both languages. */
export async function post(address, body) {
  let response;
  try {
    response = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  } catch {
    throw new Failure(inBoth("no_server"));
  }
  return answerOf(response);
}

/** Ask for JSON; the answer, or a `Failure`. */
export async function get(address) {
  let response;
  try {
    response = await fetch(address);
  } catch {
    throw new Failure(inBoth("no_server"));
  }
  return answerOf(response);
}

/** The JSON of an answer, or a `Failure`. */
export async function answerOf(response) {
  const answer = await response.json().catch(() => null);
  if (response.ok && answer) return answer;
  throw new Failure(answer?.error ?? inBoth("odd_answer", { status: response.status }));
}
