// Talking to the server. Every failure becomes one value with a text in both languages.

import { inBoth } from "./language.js";

/** Something went wrong: `{text_en, text_fr}`. */
export class Failure extends Error {
  constructor(told) {
    super(told.text_en);
    this.told = told;
  }
}

/**
 * Read one picture.
 * @param {File} file
 * @param {Object} wanted
 * @param {boolean} [wanted.gaps]  taken during a move
 * @param {number[][]} [wanted.corners]  in pixels of the upright picture
 * @param {{game: string, part: string}} [wanted.of]  what it shows; a board of Quixo without it
 */
export function readPicture(file, { gaps = false, corners = null, of = {} } = {}) {
  const form = new FormData();
  form.append("picture", file, file.name || "photo.jpg");
  for (const [name, value] of Object.entries(of)) form.append(name, value);
  if (gaps) form.append("gaps", "1");
  if (corners) form.append("corners", JSON.stringify(corners));
  return send("/api/read", { body: form });
}

/** Rule on boards; see `server/questions.py` for the question. */
export function ruleLayouts(question, signal) {
  const headers = { "Content-Type": "application/json" };
  return send("/api/rule-layouts", { body: JSON.stringify(question), headers, signal });
}

async function send(path, options) {
  let response;
  try {
    response = await fetch(path, { method: "POST", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure(inBoth("no_server"));
  }
  const answer = await response.json().catch(() => null);
  if (response.ok && answer) return answer;
  throw new Failure(answer?.error ?? inBoth("odd_answer", { status: response.status }));
}
