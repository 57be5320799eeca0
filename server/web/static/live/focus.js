// Drawing anew without taking the keyboard away from where it was.

let missing = null; // where the focus was, while what stands there cannot have it

/** Draw, then bring the focus back to what stands where it was, now or at a later drawing. */
export function keepingFocus(draw) {
  const lost = document.activeElement === document.body;
  const find = lost ? missing : finder(document.activeElement);
  draw();
  if (!find || document.activeElement !== document.body) return;
  find()?.focus({ preventScroll: true });
  missing = document.activeElement === document.body ? find : null;
}

/** How to find an element again after it was drawn anew; null for what draws itself. */
function finder(element) {
  const query = (selector) => document.querySelector(`${selector}:not(:disabled)`);
  const { control, act } = element?.dataset ?? {};
  if (element?.id && element.closest("#dice, #board, #question"))
    return () => document.getElementById(element.id);
  if (control) return () => query(`[data-control="${control}"]`) ?? query("#controls button");
  if (act) return () => query(`[data-act="${act}"]`) ?? query("#controls button");
  if (element?.matches?.(".step")) {
    const at = [...document.querySelectorAll(".step")].indexOf(element);
    return () => {
      const steps = [...document.querySelectorAll(".step")];
      return steps[at].disabled ? steps.find((step) => !step.disabled) : steps[at];
    };
  }
  if (element?.matches?.(".move-line")) return () => query(".move-line[aria-current]");
  return null;
}
