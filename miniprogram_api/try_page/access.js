// Who read or moved this owner's data: the owner, a vet with a link, an operator.

import { button, byId, el } from "/try/elements.js";
import { call } from "/try/service.js";
import { dayAndTime } from "/try/words.js";

const SHOWN = 20; // lines a page
const WHO = { owner: "你", operator: "运营人员", vet: "医生" };
const WHAT = {
  export: "导出了全部数据",
  import: "导入了一个文件",
  share_opened: "打开了分享的健康档案",
  snapshot: "看了记忆卡片",
  capture: "代你记了一条",
};

/** Draw the newest lines, and a way to those before them. */
export async function drawAccesses() {
  byId("accesses").replaceChildren(...(await page("")));
}

async function page(cursor) {
  const { items, next_cursor: next } = await call("GET", `/v1/me/access-log?limit=${SHOWN}${cursor && `&cursor=${cursor}`}`);
  if (!items.length) return [el("p", { class: "empty", text: "还没有谁看过或导出过你的数据。" })];
  const list = el("ul", { class: "lines" }, ...items.map((one) => el("li", { text: line(one) })));
  if (!next) return [list];
  const more = button("更早的", async () => more.replaceWith(...(await page(next))));
  return [list, more];
}

function line({ at, who, what, detail }) {
  return `${dayAndTime(at)} ${WHO[who]}${WHAT[what]}${detail ? `（${detail}）` : ""}`;
}
