// Questions that only the owner can settle: old fact, new statement, evidence, three answers.

import { button, byId, el, redraw, say } from "/try/elements.js";
import { historyOf } from "/try/history.js";
import { call } from "/try/service.js";
import { dayAndTime, SOURCES } from "/try/words.js";

const ANSWERS = [
  ["accept", "更新"],
  ["keep", "保持原样"],
  ["watch", "再观察"],
];
const ANSWERED = { accept: "已更新", keep: "保持原样", watch: "先不下结论，继续观察" };
const EVIDENCE_SHOWN = 3; // the newest; the rest is in the app

/** Draw the open questions again. */
export async function refreshConfirmations() {
  const { items } = await call("GET", "/v1/confirmations?status=pending");
  const count = byId("asks-count");
  count.textContent = String(items.length);
  count.hidden = items.length === 0;
  redraw(
    byId("ask-list"),
    ...(items.length ? items.map(full) : [el("p", { class: "empty", text: "没有等你确认的事。" })]),
  );
}

/** The three answers to a question; the buttons give way to what was answered. */
export function answerButtons(confirmationId) {
  const row = el("div", { class: "row", role: "group", "aria-label": "回答" });
  for (const [answer, label] of ANSWERS) {
    row.append(button(label, () => answerIt(confirmationId, answer, row), styleOf(answer)));
  }
  return row;
}

const styleOf = (answer) => ({ class: answer === "accept" ? "solid small" : "quiet" });

async function answerIt(confirmationId, answer, row) {
  await call("POST", `/v1/confirmations/${confirmationId}/answer`, { answer });
  const settled = el("p", { class: "settled", tabindex: "-1", text: `已回答：${ANSWERED[answer]}` });
  row.replaceChildren(settled);
  settled.focus(); // the pressed button is gone; the keyboard goes on from here
  say(ANSWERED[answer]);
  document.dispatchEvent(new Event("memory-changed"));
}

function full(question) {
  return el(
    "article",
    { class: "ask" },
    el("p", { class: "question", text: question.question }),
    comparison(question),
    evidence(question.evidence ?? []),
    answerButtons(question.id),
    question.old?.memory_id && historyOf(question.old.memory_id, "现在这条的历史"),
    question.new?.memory_id && historyOf(question.new.memory_id, "新说法的历史"),
    el("p", { class: "soft", text: `${dayAndTime(question.lapses_at)} 前没有回答，就保持原样` }),
  );
}

function comparison({ old, new: said }) {
  const rows = [
    ["现在", contentOf(old)],
    ["新说法", contentOf(said)],
  ].filter(([, content]) => content);
  return el(
    "dl",
    { class: "compare" },
    ...rows.flatMap(([label, content]) => [el("dt", { text: label }), el("dd", { text: content })]),
  );
}

const contentOf = (side) => (typeof side === "string" ? side : (side?.content ?? ""));

function evidence(quotes) {
  if (!quotes.length) return null;
  const newest = quotes.slice(-EVIDENCE_SHOWN).map((one) => {
    const from = SOURCES[one.source] ?? one.source ?? "";
    const where = el("span", { class: "soft", text: `${dayAndTime(one.said_at)} · ${from}` });
    return el("li", {}, el("q", { text: one.quote ?? "" }), where);
  });
  return el("ul", { class: "evidence", "aria-label": "依据" }, ...newest);
}
