// One turn on the page: what the owner said, warnings, receipts, the answer as it streams in, and what it was made from.

import { answerButtons } from "/try/confirmations.js";
import { button, el, say } from "/try/elements.js";
import { call } from "/try/service.js";
import { showTrace } from "/try/trace.js";
import { dayAndTime, LEVELS, OUTCOMES, REASONS } from "/try/words.js";

const CITATIONS_OPEN = 3; // more than these are folded away

/** Draws a turn event by event, or all at once from its stored answer. `nameOf` names a memory's subject. */
export class TurnView {
  constructor({ text, at, temporary, nameOf }) {
    this.nameOf = nameOf;
    this.turnId = null;
    this.temporary = temporary;
    this.said = el("p", { class: "said", text });
    this.before = el("div", { class: "extras" });
    this.words = el("p", { class: "words", text: "" });
    this.waiting = el("span", { class: "waiting", role: "img", "aria-label": "正在想" }, el("i"), el("i"), el("i"));
    this.below = el("div", { class: "below" });
    this.answer = el("div", { class: "answer" }, this.words, this.waiting, this.below);
    this.after = el("div", { class: "extras" });
    this.element = el(
      "article",
      { class: temporary ? "turn temporary" : "turn" },
      el("div", { class: "mine" }, this.said, el("p", { class: "soft when", text: when(at, temporary) })),
      this.before,
      this.answer,
      this.after,
    );
  }

  /** Take one event of the stream. */
  tell(name, data) {
    const take = {
      turn: () => (this.turnId = data.turn_id),
      alert: () => this.extra(alertBox(data)),
      delta: () => this.words.append(data.text),
      replace: () => (this.words.textContent = data.text),
      memory: () => this.receipt(data),
      confirm: () => this.extra(questionBox(data)),
      schedule: () => this.extra(scheduleLine(data)),
      done: () => this.finish(data),
      error: () => this.fail(data.detail),
    }[name];
    take?.();
  }

  /** Draw a finished turn from its answer. */
  fill(answer) {
    this.turnId = answer.turn_id;
    for (const alert of answer.alerts) this.extra(alertBox(alert));
    for (const memory of answer.memories) this.receipt(memory);
    for (const question of answer.confirmations) this.extra(questionLine(question));
    for (const schedule of answer.schedules) this.extra(scheduleLine(schedule));
    this.finish(answer);
  }

  /** The answer is complete; its text is authoritative. */
  finish(answer) {
    this.waiting.remove();
    this.words.textContent = answer.text;
    const mark = answer.mode === "basic" ? "AI 生成 · 基础模式" : "AI 生成";
    const stopped = answer.cancelled ? " · 已停止" : "";
    this.below.replaceChildren(
      el("span", { class: "soft", text: mark + stopped }),
      ...(this.temporary ? [] : [button("为什么这样答", () => showTrace(answer.turn_id, this.nameOf), { class: "link" })]),
    );
    if (answer.citations?.length) this.after.append(citations(answer.turn_id, answer.citations));
  }

  /** Nothing came of it; `retry` sends the very same message again. */
  fail(detail, retry) {
    this.waiting.remove();
    this.answer.classList.add("failed");
    this.below.replaceChildren(
      el("span", { class: "wrong", role: "alert", text: detail || "没有成功，请再试一次" }),
      ...(retry ? [button("再发一次", retry)] : []),
    );
  }

  /** What came before the first words stands above them, what comes later below: nothing that is read moves. */
  extra(element) {
    const place = this.words.textContent ? this.after : this.before;
    place.append(element);
  }

  receipt(memory) {
    if (!this.list) {
      this.list = el("ul", { class: "receipts", "aria-label": "记忆的变化" });
      this.extra(this.list);
    }
    this.list.append(receiptLine(memory, this.nameOf));
  }
}

function when(at, temporary) {
  return temporary ? `${dayAndTime(at)} · 临时聊天，不会被记住` : dayAndTime(at);
}

function alertBox({ level, sign, advice }) {
  return el(
    "div",
    { class: `alert ${level}`, role: "alert" },
    el("strong", { text: sign ? `${LEVELS[level] ?? "注意"}：${sign}` : (LEVELS[level] ?? "注意") }),
    el("p", { text: advice }),
  );
}

function questionBox(question) {
  const box = questionLine(question);
  box.append(answerButtons(question.id));
  return box;
}

/** A question in an old turn may be settled by now: only its words; the open ones stand in their own list. */
function questionLine(question) {
  return el("div", { class: "ask inline" }, el("p", { class: "question", text: question.question }));
}

function scheduleLine({ title, starts_at: startsAt, ...rest }) {
  const text = `日程：${title ?? rest.content ?? ""}${startsAt ? `，${dayAndTime(startsAt)}` : ""}`;
  return el("p", { class: "schedule", text });
}

function receiptLine(memory, nameOf) {
  const reason = memory.outcome === "refused" ? reasonOf(memory.reason) : "";
  const name = nameOf(memory.subject);
  const rest = memory.content.startsWith(name) ? memory.content.slice(name.length) : ` ${memory.content}`;
  const line = el(
    "li",
    { class: `receipt ${memory.outcome}` },
    el("span", { class: "outcome", text: OUTCOMES[memory.outcome] ?? memory.outcome }),
    el(
      "span",
      { class: "what" },
      el("b", { text: name }),
      rest,
      reason && el("span", { class: "soft", text: `（${reason}）` }),
    ),
  );
  if (undoable(memory)) line.append(undoButton(memory, line));
  return line;
}

function reasonOf(reason) {
  const [code, words] = String(reason ?? "").split(/:\s*/, 2);
  return words || (REASONS[code] ?? "");
}

/** What was merged into an older memory is not undone here: that would delete what stood there before. */
const undoable = ({ outcome, memory_id: id }) => id && ["added", "candidate", "provisional", "superseded"].includes(outcome);

function undoButton(memory, line) {
  const undo = button("撤销", () => change("DELETE", memory.memory_id, "", line, undo, restore));
  const restore = button("恢复", () => change("POST", memory.memory_id, "/restore", line, restore, undo));
  return undo;
}

async function change(method, memoryId, what, line, shown, next) {
  await call(method, `/v1/memories/${memoryId}${what}`);
  line.classList.toggle("undone", method === "DELETE");
  shown.replaceWith(next);
  say(method === "DELETE" ? "已撤销，十分钟内可以恢复" : "已恢复");
  document.dispatchEvent(new Event("memory-changed"));
}

function citations(turnId, cited) {
  const items = cited.map(({ memory_id: memoryId, snippet }) => {
    const wrong = button("这条不对", () => reportWrong(turnId, memoryId, wrong), { class: "link" });
    return el("li", {}, el("span", { text: snippet || "（内容已不在）" }), wrong);
  });
  const title = el("summary", { text: `用到了 ${cited.length} 条记忆` });
  return el("details", { class: "citations", open: cited.length <= CITATIONS_OPEN }, title, el("ul", {}, ...items));
}

async function reportWrong(turnId, memoryId, pressed) {
  await call("POST", `/v1/chat/turns/${turnId}/feedback`, { kind: "wrong", memory_id: memoryId });
  pressed.replaceWith(el("span", { class: "soft", text: "已反馈" }));
}
