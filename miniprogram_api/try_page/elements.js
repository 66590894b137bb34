// Makes elements. Text only ever becomes a text node: what owners write is data, never markup.

/** An element with properties (`class`, `text`, `on<event>`, anything else is an attribute) and children. */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "text") element.textContent = value;
    else if (name === "class") element.className = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** The element with this id. */
export const byId = (id) => document.getElementById(id);

/** Other children in a place; what was opened there (`data-key`) is open again. */
export function redraw(place, ...children) {
  const opened = new Set([...place.querySelectorAll("details[open][data-key]")].map((one) => one.dataset.key));
  place.replaceChildren(...children);
  for (const one of place.querySelectorAll("details[data-key]")) if (opened.has(one.dataset.key)) one.open = true;
}

/** A small labelled button that is disabled while its action runs. */
export function button(label, action, properties = {}) {
  return el("button", {
    type: "button",
    class: "quiet",
    text: label,
    ...properties,
    onclick: async (event) => {
      const pressed = event.currentTarget;
      pressed.disabled = true;
      try {
        await action(pressed);
      } catch (error) {
        say(error.message, true);
      } finally {
        pressed.disabled = false;
      }
    },
  });
}

/** Tell the owner something in passing; it is read out and goes away. */
export function say(message, isError = false) {
  const toast = byId("toast");
  toast.textContent = message;
  toast.classList.toggle("error", isError);
  toast.classList.add("shown");
  clearTimeout(say.timer);
  say.timer = setTimeout(() => toast.classList.remove("shown"), TOAST_MS);
}

const TOAST_MS = 4000; // long enough to read one sentence twice
