// "Why is each line here": what the assistant was given for one turn.

import { byId, el } from "/try/elements.js";
import { call } from "/try/service.js";
import { ARMS, PARTS, POINTERS, STATES, whyInWords } from "/try/words.js";

/** Open the panel for a turn; `nameOf` names the pets. Raises Problem. */
export async function showTrace(turnId, nameOf) {
  const { items } = await call("GET", `/v1/chat/turns/${turnId}/trace`);
  const drawn = [
    ...items.filter(({ step }) => step === "pets").map((note) => whoWasMeant(note, nameOf)),
    whatWasSearched(items.filter(({ step }) => step === "recall")),
    ...items.filter(({ part }) => part).map(({ part, text, why }) => line(PARTS[part] ?? part, text, whyInWords(why), why)),
  ].filter(Boolean);
  byId("trace-lines").replaceChildren(
    drawn.length ? el("ol", { class: "trace" }, ...drawn) : el("p", { class: "empty", text: "这一轮没有带上任何记忆。" }),
  );
  byId("trace").showModal();
}

function whoWasMeant({ meant, why, confidence, unclear }, nameOf) {
  const names = meant.map(nameOf).join("、") || "没有指哪一只";
  const reasons = why.split(", ").map((reason) => POINTERS[reason] ?? reason);
  return line("说的是谁", unclear ? `${names}（没有把握）` : names, `${reasons.join("、")} · 把握 ${Math.round(confidence * 100)}%`);
}

function whatWasSearched(arms) {
  if (!arms.length) return null;
  const found = arms.map(({ arm, found: count }) => `${ARMS[arm] ?? arm} ${count} 条`).join("，");
  const late = arms.filter(({ state }) => state !== "done").map(({ arm, state }) => `${ARMS[arm] ?? arm}：${STATES[state] ?? state}`);
  return line("检索", found, late.length ? late.join("，") : "都在时限内完成");
}

function line(label, text, reason, why = "") {
  return el(
    "li",
    { class: why.startsWith("trimmed") ? "trimmed" : "" },
    el("span", { class: "badge", text: label }),
    el("p", { class: "trace-text", text }),
    el("p", { class: "soft", text: reason }),
  );
}

/** Let the panel be closed. */
export function wireTrace() {
  byId("close-trace").addEventListener("click", () => byId("trace").close());
}
