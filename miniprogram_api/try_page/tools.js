// Who is signed in, what they allow, and what time it is for the service.

import { byId, el, say } from "/try/elements.js";
import { call, clock, instantOf, localMinute } from "/try/service.js";
import { dayAndTime, PURPOSES } from "/try/words.js";

const DAY_MS = 86_400_000;
const TICK_MS = 10_000; // the shown minute is never older than this

/** Draw the consents, and the reminder in the chat while long-term memory is not allowed. */
export async function refreshConsents() {
  const [{ items }, policies] = await Promise.all([call("GET", "/v1/me/consents"), call("GET", "/v1/policies")]);
  const texts = new Map(policies.items.map((policy) => [policy.purpose, policy]));
  byId("consents").replaceChildren(...items.map((consent) => consentRow(consent, texts.get(consent.purpose))));
  byId("no-consent").hidden = items.some(({ purpose, granted }) => purpose === "long_term_memory" && granted);
}

function consentRow({ purpose, granted, at, outdated }, policy) {
  const box = el("input", { type: "checkbox", role: "switch", checked: granted, "aria-describedby": `why-${purpose}` });
  box.addEventListener("change", () => decide(purpose, box.checked).catch((error) => say(error.message, true)));
  const decided = outdated ? "同意的是旧条款，请重新确认" : granted ? "同意" : "撤回";
  const since = at ? `（${dayAndTime(at)}${decided}）` : "";
  return el(
    "div",
    { class: "consent" },
    el("label", { class: "switch" }, box, PURPOSES[purpose] ?? purpose),
    el("p", { class: "soft", id: `why-${purpose}`, text: `${policy?.text ?? ""}${since}` }),
  );
}

async function decide(purpose, granted) {
  const policies = await call("GET", "/v1/policies");
  const version = policies.items.find((policy) => policy.purpose === purpose).version;
  try {
    await call("PUT", "/v1/me/consents", { purpose, version, granted });
  } finally {
    await refreshConsents();
  }
}

function drawTime() {
  const field = byId("domain-time");
  if (document.activeElement !== field) field.value = localMinute(clock.now());
  byId("shifted").hidden = !clock.shifted;
  byId("shifted-time").textContent = `时间调到了 ${dayAndTime(clock.now().toISOString(), new Date())}`;
}

function shiftTo(shift) {
  clock.set(shift);
  byId("domain-time").blur();
  drawTime();
  document.dispatchEvent(new Event("memory-changed"));
}

function takeTypedTime() {
  const wall = byId("domain-time").value;
  if (wall) shiftTo(instantOf(wall).getTime() - Date.now());
}

/** Connect consents, the domain clock and the sign-in; `switchTo` signs an owner in. */
export function wireTools(switchTo) {
  byId("give-consent").addEventListener("click", () =>
    decide("long_term_memory", true).then(() => say("已开启长期记忆"), (error) => say(error.message, true)),
  );
  byId("domain-time").addEventListener("change", takeTypedTime);
  byId("time").addEventListener("submit", (event) => event.preventDefault());
  for (const pressed of document.querySelectorAll("[data-days]")) {
    pressed.addEventListener("click", () => shiftTo(clock.shift + Number(pressed.dataset.days) * DAY_MS));
  }
  for (const id of ["now-again", "back-to-now"]) byId(id).addEventListener("click", () => shiftTo(0));
  byId("sign-in").addEventListener("submit", (event) => {
    event.preventDefault();
    switchTo(byId("owner").value.trim());
  });
  drawTime();
  setInterval(drawTime, TICK_MS);
}
