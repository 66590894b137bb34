// The eight archives of each pet, and the diary of the nights with its way back.

import { button, byId, el, say } from "/try/elements.js";
import { call } from "/try/service.js";
import { petsShown } from "/try/cards.js";
import { dayAndTime } from "/try/words.js";

const DREAMS_SHOWN = 10; // nights

/** One line a pet; its archives are read when it is opened. What its owner has opened stays as it is. */
export async function drawArchives() {
  const drawn = petsShown().map((pet) => byId("archives").querySelector(`details[open][data-pet="${pet.id}"]`) ?? line(pet));
  byId("archives").replaceChildren(...(drawn.length ? drawn : [el("p", { class: "empty", text: "还没有宠物。" })]));
}

function line(pet) {
  const inside = el("div", { class: "stack" });
  const open = el("details", { "data-pet": pet.id }, el("summary", { text: pet.name }), inside);
  open.addEventListener("toggle", () => open.open && fill(inside, pet).catch((error) => say(error.message, true)));
  return open;
}

async function fill(inside, pet) {
  const { items } = await call("GET", `/v1/pets/${pet.id}/archives`);
  inside.replaceChildren(...items.map((one) => archive(pet, one)));
}

function archive(pet, { topic, label, summary, entries_count: count, made_by: by }) {
  if (!count) return el("p", { class: "soft", text: `${label}：还没有内容` });
  const list = el("ul", { class: "lines" });
  const open = el("details", {}, el("summary", { text: `${label} · ${count} 条` }), list);
  open.addEventListener("toggle", () => open.open && entries(list, pet, topic).catch((error) => say(error.message, true)));
  const whose = by === "model" ? "（AI 生成）" : "";
  return el("div", { class: "archive" }, open, el("p", { class: "soft", text: `${summary}${whose}` }));
}

async function entries(list, pet, topic) {
  const { entries: items } = await call("GET", `/v1/pets/${pet.id}/archives/${topic}?limit=50`);
  list.replaceChildren(
    ...items.map(({ text, on, ended, evidence }) =>
      el(
        "li",
        {},
        el("span", { class: "line", text }),
        el("span", { class: "soft", text: [on, ended && "已结束"].filter(Boolean).join(" · ") }),
        evidence[0]?.quote && el("q", { class: "soft", text: evidence[0].quote }),
      ),
    ),
  );
}

/** The diary, newest night first. */
export async function drawDiary() {
  const { items } = await call("GET", `/v1/dreams?limit=${DREAMS_SHOWN}`);
  const drawn = items.map((dream) =>
    el(
      "article",
      { class: "dream" },
      el("h3", { text: `${dream.night_on} 夜里` }),
      el("ul", {}, ...dream.lines.map(({ text }) => el("li", { text }))),
      dream.undone_at && el("p", { class: "soft", text: `${dayAndTime(dream.undone_at)} 已撤销` }),
      dream.undoable && el("div", { class: "row" }, button("撤销这一晚", () => undo(dream.id))),
    ),
  );
  byId("diary").replaceChildren(...(drawn.length ? drawn : [el("p", { class: "empty", text: "还没有整理过。夜里没事发生就不写。" })]));
}

async function undo(id) {
  await call("POST", `/v1/dreams/${id}/undo`);
  say("那一晚的整理已撤销");
  document.dispatchEvent(new Event("memory-changed"));
}
