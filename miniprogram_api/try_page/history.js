// The history of one memory: every version with who made it so, when, and why; read when it is opened.

import { el, say } from "/try/elements.js";
import { call } from "/try/service.js";
import { dayAndTime, REASONS } from "/try/words.js";

const SHOWN = 20; // versions; hardly a line has more
const WHO = { owner: "你", system: "系统", other: "家人" };
const STATES = {
  active: "生效",
  provisional: "待确认",
  candidate: "待观察",
  superseded: "已被替换",
  rejected: "已否定",
  archived: "已收起",
  fading: "快淡忘了",
  deleted: "已删除",
};
const CHANGES = {
  new: "第一次听到",
  new_danger: "说得明确，先按安全的来",
  danger_in_doubt: "还不确定，先小心着",
  said_again: "又说了一次",
  plain_change: "你说变了",
  corroborated: "几次说法对得上",
  narrows_known: "补充了细节",
  caution_confirmed: "得到了证实",
  caution_rejected: "医生排除了",
  owner_act: "你自己改的",
  owner_wrote: "你写的",
  owner_changed: "你改的",
  owner_deleted: "你删的",
  confirmation_accepted: "你确认更新",
  confirmation_kept: "你选择保持原样",
  confirmation_watching: "你选择再观察",
  confirmation_lapsed: "到期没有回答，保持原样",
};

/** The versions of a memory behind a summary; nothing is read before it is opened. */
export function historyOf(memoryId, label = "看历史") {
  const open = el("details", { class: "history", "data-key": `${memoryId} ${label}` }, el("summary", { text: label }));
  open.addEventListener("toggle", () => {
    if (open.open && !open.querySelector("ol")) fill(open, memoryId).catch((error) => say(error.message, true));
  });
  return open;
}

async function fill(open, memoryId) {
  const { items } = await call("GET", `/v1/memories/${memoryId}/history?limit=${SHOWN}`);
  open.append(versions(items));
}

/** Versions as a list, the first one first. */
export function versions(items) {
  return el("ol", { class: "soft", "aria-label": "每个版本" }, ...items.map(version));
}

function version({ version: number, at, by, reason, status, content }) {
  const why = CHANGES[reason] ?? REASONS[reason];
  const facts = [`第 ${number} 版`, dayAndTime(at), WHO[by] ?? by, STATES[status], why].filter(Boolean);
  return el("li", { text: `${facts.join(" · ")}：${content}` });
}
