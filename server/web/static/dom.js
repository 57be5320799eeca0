// Making elements. Everything is set as text or attribute, never as markup, so nothing that was
// read from a picture, a file name or a server answer can become code.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Make an HTML element.
 * @param {string} tag
 * @param {Object} attributes  `on…` functions are listeners, `class` and the rest are attributes;
 *   null, undefined and false leave one out, true sets it empty.
 * @param {...(Node|string|null|undefined)} children
 */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Make an SVG element; see `h`. */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Make a small button. */
export function button(label, press, attributes = {}) {
  return h("button", { type: "button", class: "plain", ...attributes, onclick: press }, label);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}
