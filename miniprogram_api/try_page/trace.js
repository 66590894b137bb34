// "Why is each line here": what the assistant was given for one turn.

import { byId, el } from "/try/elements.js";
import { call } from "/try/service.js";
import { PARTS, WHYS } from "/try/words.js";

/** Open the panel for a turn. Raises Problem. */
export async function showTrace(turnId) {
  const { items } = await call("GET", `/v1/chat/turns/${turnId}/trace`);
  const lines = items.filter(({ text, why }) => text || why);
  byId("trace-lines").replaceChildren(
    lines.length ? el("ol", { class: "trace" }, ...lines.map(line)) : el("p", { class: "empty", text: EMPTY }),
  );
  byId("trace").showModal();
}

const EMPTY = "这一轮没有带上任何记忆：没有相关的内容，或者是临时聊天。";

function line({ part, text, why }) {
  return el(
    "li",
    { class: why.startsWith("trimmed") ? "trimmed" : "" },
    el("span", { class: "badge", text: PARTS[part] ?? part }),
    el("p", { class: "trace-text", text }),
    el("p", { class: "soft", text: WHYS[why] ?? why }),
  );
}

/** Let the panel be closed. */
export function wireTrace() {
  byId("close-trace").addEventListener("click", () => byId("trace").close());
}
