// The rules of a game: both languages are in the page, one is shown.

import { applyLanguage, currentLanguage, onLanguage, setLanguage } from "../language.js";

function show() {
  const lang = currentLanguage();
  for (const article of document.querySelectorAll("[data-only]")) {
    const shown = article.dataset.only === lang;
    article.hidden = !shown;
    // The address of a rule leads to the language in view.
    for (const rule of article.querySelectorAll("[data-rule]")) {
      if (shown) rule.id = rule.dataset.rule;
      else rule.removeAttribute("id");
    }
  }
  const id = decodeURIComponent(location.hash.slice(1));
  for (const old of document.querySelectorAll(".rule-card.cited")) old.classList.remove("cited");
  const cited = id ? document.getElementById(id) : null;
  cited?.classList.add("cited");
  cited?.scrollIntoView({ block: "center" });
}

for (const button of document.querySelectorAll("[data-lang]")) {
  button.addEventListener("click", () => setLanguage(button.dataset.lang));
}
window.addEventListener("hashchange", show);
onLanguage(show);
applyLanguage();
show();
