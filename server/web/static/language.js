// Texts in both languages, and switching between them without losing anything on the page.

const TEXTS = JSON.parse(document.getElementById("texts").textContent);
const STORE = "arbitre.lang";
const listeners = [];
let lang = remembered() ?? document.documentElement.lang;

/** The text of a key in the current language, with `{braces}` filled in. */
export function t(key, values = {}) {
  return fill(TEXTS[key][lang], values);
}

/** Whether there is a text of that key. */
export function known(key) {
  return key in TEXTS;
}

/** A text in both languages, in the form of the server's answers. */
export function inBoth(key, values = {}) {
  const filled = (language) => fill(TEXTS[key][language], values);
  return { text_en: filled("en"), text_fr: filled("fr") };
}

/** The text of an answer that carries `…_en` and `…_fr`, such as a finding. */
export function told(answer, name = "text") {
  return answer[`${name}_${lang}`];
}

/** A probability in percents; nothing is ever quite certain, so the ends say more or less than. */
export function chance(share) {
  if (share > 0.99) return `> ${percent(0.99)}`;
  return share < 0.01 ? `< ${percent(0.01)}` : percent(share);
}

/** A share of one as whole percents, written as the language does. */
export function percent(share) {
  return new Intl.NumberFormat(lang, { style: "percent", maximumFractionDigits: 0 }).format(share);
}

export function currentLanguage() {
  return lang;
}

/** Call `redraw` now and at every change of language. */
export function onLanguage(redraw) {
  listeners.push(redraw);
}

export function setLanguage(next) {
  lang = next;
  try {
    localStorage.setItem(STORE, next);
  } catch {
    // Private windows may refuse; then the choice holds for this page only.
  }
  applyLanguage();
  for (const redraw of listeners) redraw();
}

/** Write the texts of the fixed parts of the page. */
export function applyLanguage() {
  document.documentElement.lang = lang;
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = t(element.dataset.text);
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", t(element.dataset.label));
  }
  for (const button of document.querySelectorAll("[data-lang]")) {
    button.setAttribute("aria-pressed", String(button.dataset.lang === lang));
  }
}

function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

function remembered() {
  try {
    const value = localStorage.getItem(STORE);
    return value === "en" || value === "fr" ? value : null;
  } catch {
    return null;
  }
}
