// One memory in a list: what it says, where it comes from, and everything its owner may do with it.

import { button, byId, el, say } from "/try/elements.js";
import { call, clock } from "/try/service.js";
import { nameOf } from "/try/cards.js";
import { versions } from "/try/history.js";
import { dayAndTime, SOURCES, TOPICS } from "/try/words.js";

const SNOOZE_DAYS = 30;
const DAY_MS = 86_400_000;
const TIERS = { short: "便签", core: "身份卡", long: "主题档案" };
const STATUSES = { candidate: "待观察", provisional: "待确认", fading: "快淡忘了", archived: "已收起" };

/** A memory as a list item; its actions stand behind 更多. */
export function memoryLine(memory) {
  const item = el("li", { class: "memory-line", "data-id": memory.id });
  const more = el("details", {}, el("summary", { text: "更多" }));
  more.addEventListener("toggle", () => more.open && fillMore(more, memory, item).catch((error) => say(error.message, true)));
  item.append(
    el("span", { class: `badge ${memory.topic}`, text: TOPICS[memory.topic] ?? memory.topic }),
    el("span", { class: "line", text: memory.content }),
    el("span", { class: "soft", text: factsOf(memory) }),
    more,
  );
  return item;
}

function factsOf(memory) {
  const facts = [
    nameOf(memory.subject),
    TIERS[memory.tier],
    STATUSES[memory.status],
    memory.locked && "已锁定",
    memory.snoozed_until && `${dayAndTime(memory.snoozed_until)} 前不提`,
  ];
  return facts.filter(Boolean).join(" · ");
}

async function fillMore(more, memory, item) {
  const [why, history] = await Promise.all([
    call("GET", `/v1/memories/${memory.id}/why`),
    call("GET", `/v1/memories/${memory.id}/history?limit=20`),
    call("POST", `/v1/memories/${memory.id}/view`),
  ]);
  more.replaceChildren(
    more.querySelector("summary"),
    quotes(memory.evidence),
    el("p", { class: "soft", text: whyOf(memory, why) }),
    versions(history.items),
    memory.record_id ? el("p", { class: "soft", text: "它来自健康档案，要改请改那条记录。" }) : editor(memory, item),
    actions(memory, item),
  );
}

function quotes(evidence) {
  const said = evidence.map((one) =>
    el("li", {}, el("q", { text: one.quote ?? "" }), el("span", { class: "soft", text: ` ${dayAndTime(one.said_at)} · ${SOURCES[one.source] ?? one.source}` })),
  );
  return said.length ? el("ul", { class: "evidence", "aria-label": "依据" }, ...said) : null;
}

function whyOf(memory, { score, next }) {
  const { cited, viewed, hit } = memory.signals;
  const then = `；${next.text}${next.when ? `（${dayAndTime(next.when)}）` : ""}`;
  return `可信度 ${Math.round(memory.confidence * 100)}% · 回答用过 ${cited} 次，看过 ${viewed} 次，搜到 ${hit} 次 · 得分 ${Number(score).toFixed(2)}${then}`;
}

function editor(memory, item) {
  const field = el("input", { value: memory.content, maxlength: 300, "aria-label": "改成" });
  return el("div", { class: "edit" }, field, button("保存", () => change(memory, item, "PUT", "", { content: field.value }, "已改好")));
}

function actions(memory, item) {
  const act = (label, path, body, told) => button(label, () => change(memory, item, "POST", path, body, told));
  const until = new Date(clock.now().getTime() + SNOOZE_DAYS * DAY_MS).toISOString();
  return el(
    "div",
    { class: "row" },
    memory.locked ? act("解锁", "/unlock", undefined, "已解锁") : act("锁定", "/lock", undefined, "已锁定，不会自动变动"),
    memory.snoozed_until ? act("可以提了", "/snooze", { until: null }, "好的") : act("这条先别提", "/snooze", { until }, "一个月内不主动提"),
    !memory.record_id && memory.version > 1 && act("撤销改动", "/undo", undefined, "最近一次改动已撤销"),
    button("删除", () => remove(memory, item)),
  );
}

async function change(memory, item, method, path, body, told) {
  const after = await call(method, `/v1/memories/${memory.id}${path}`, body);
  const drawn = memoryLine(after);
  item.replaceWith(drawn);
  drawn.querySelector("summary").focus();
  say(told);
  changed();
}

async function remove(memory, item) {
  await call("DELETE", `/v1/memories/${memory.id}`);
  const back = button("恢复", async () => change(memory, item, "POST", "/restore", undefined, "已恢复"));
  item.replaceChildren(el("span", { class: "line soft", text: "已删除，10 分钟内可以恢复" }), back);
  back.focus();
  changed();
}

function changed() {
  byId("memory").dataset.kept = "true"; // open lists stay as they are; the counts are drawn again
  document.dispatchEvent(new Event("memory-changed"));
}
