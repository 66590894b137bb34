// The cards: each pet's and the owner's core with its budget, and the short-term memories behind them.

import { button, byId, el, say } from "/try/elements.js";
import { call, clock } from "/try/service.js";
import { openShares } from "/try/shares.js";
import { weightChart } from "/try/weight_chart.js";
import { age, PET_STATUSES, SEXES, SPECIES, TOPICS } from "/try/words.js";

const NEARLY_FULL = 0.9; // of a limit; from there the bar turns red
const SHORT_SHOWN = 50; // short-term memories listed under a card

let pets = [];
let cards = new Map(); // name → card, as drawn last
let seen = new Map(); // subject → ids of the lines drawn last, to mark what is new

/** The name of a memory's subject. */
export function nameOf(subject) {
  if (subject === "owner") return "你";
  return pets.find(({ id }) => id === subject)?.name ?? "未归属";
}

/** The pets as they were drawn last, the oldest first. */
export const petsShown = () => pets;

/** How full each card is, as it was drawn last. */
export function budgetBars() {
  return [...cards].filter(([, card]) => card).map(([name, card]) =>
    el(
      "div",
      { class: "fullness" },
      el("strong", { text: name }),
      budget("条目", card.used_items, card.limit_items, "条"),
      budget("字数", card.used_chars, card.limit_chars, "字"),
    ),
  );
}

/** Forget what was drawn for another owner. */
export function forgetCards() {
  pets = [];
  cards = new Map();
  seen = new Map();
}

/** Draw all cards again, and the choice of whom a message is about. */
export async function refreshCards() {
  pets = (await call("GET", "/v1/pets?limit=30")).items.sort((one, other) => (one.id < other.id ? -1 : 1)); // oldest first
  drawChoice();
  const open = new Set([...document.querySelectorAll(".card details[open]")].map(({ dataset }) => dataset.subject));
  const subjects = [...pets, { id: "owner", name: "主人名片" }];
  cards = new Map(subjects.map(({ name }) => [name, null]));
  const drawn = await Promise.all(subjects.map((subject) => drawCard(subject, open.has(subject.id))));
  if (!pets.length) byId("add-pet").open = true;
  if (!pets.length) drawn.unshift(el("p", { class: "empty", text: "还没有宠物。先在「添加宠物」里加一只吧。" }));
  byId("card-list").replaceChildren(...drawn);
}

function drawChoice() {
  const choice = byId("about");
  const chosen = choice.value;
  const options = pets.map(({ id, name }) => el("option", { value: id, text: name }));
  choice.replaceChildren(el("option", { value: "", text: "自动判断" }), ...options);
  choice.value = pets.some(({ id }) => id === chosen) ? chosen : "";
}

async function drawCard(subject, open) {
  const path = subject.id === "owner" ? "/v1/me/card" : `/v1/pets/${subject.id}/card`;
  const chart = subject.id === "owner" ? null : weightChart(subject);
  const [card, short, weights] = await Promise.all([call("GET", path), shortTerm(subject.id), chart]);
  cards.set(subject.name, card);
  const before = seen.get(subject.id);
  seen.set(subject.id, new Set(card.items.map(keyOf)));
  return el(
    "article",
    { class: "card", "data-subject": subject.id },
    el("h3", { text: subject.name }),
    el("p", { class: "soft about", text: aboutOf(subject) }),
    budget("条目", card.used_items, card.limit_items, "条"),
    budget("字数", card.used_chars, card.limit_chars, "字"),
    lines(card.items, before, subject.no_known_allergies),
    weights,
    shortList(subject.id, short, open),
    subject.id !== "owner" && el("p", { class: "share-it" }, button("给医生看", () => openShares(subject))),
  );
}

const keyOf = ({ memory_id: id, content }) => `${id} ${content}`;

function aboutOf(pet) {
  if (pet.id === "owner") return "和你有关的偏好与习惯";
  const kind = pet.species === "other" ? pet.species_name || SPECIES.other : SPECIES[pet.species];
  const neutered = { true: "已绝育", false: "未绝育" }[String(pet.neutered)];
  const facts = [kind, pet.breed, SEXES[pet.sex], neutered, age(pet.born_on, clock.now()), PET_STATUSES[pet.status]];
  return facts.filter(Boolean).join(" · ");
}

function budget(label, used, limit, unit) {
  const said = `${used.toLocaleString("zh-CN")} / ${limit.toLocaleString("zh-CN")} ${unit}`;
  return el(
    "div",
    { class: "budget" },
    el("span", { text: label }),
    el("progress", {
      max: limit,
      value: Math.min(used, limit),
      "aria-label": `${label}：${said}`,
      class: used >= limit * NEARLY_FULL ? "nearly-full" : "",
    }),
    el("span", { class: "figures", text: said }),
  );
}

function lines(items, before, noKnownAllergies) {
  const drawn = items.map((item) =>
    el(
      "li",
      { class: before && !before.has(keyOf(item)) ? "new" : "" },
      el("span", { class: `badge ${item.topic}`, text: TOPICS[item.topic] ?? item.topic }),
      el("span", { class: "line", text: item.content }),
      item.provisional && el("span", { class: "soft", text: "待确认" }),
      item.locked && el("span", { class: "soft", text: "已锁定" }),
    ),
  );
  if (noKnownAllergies) drawn.unshift(el("li", {}, el("span", { class: "line", text: "没有已知的过敏" })));
  return drawn.length ? el("ul", { class: "lines" }, ...drawn) : el("p", { class: "empty", text: "还是空的。" });
}

async function shortTerm(subject) {
  const query = new URLSearchParams({ subject, tier: "short", limit: String(SHORT_SHOWN) });
  return (await call("GET", `/v1/memories?${query}`)).items;
}

function shortList(subject, items, open) {
  if (!items.length) return null;
  const drawn = items.map(({ content, topic, status }) =>
    el(
      "li",
      {},
      el("span", { class: `badge ${topic}`, text: TOPICS[topic] ?? topic }),
      el("span", { class: "line", text: content }),
      STATUSES[status] && el("span", { class: "soft", text: STATUSES[status] }),
    ),
  );
  return el(
    "details",
    { "data-subject": subject, open },
    el("summary", { text: `便签墙 ${items.length} 条` }),
    el("ul", { class: "lines" }, ...drawn),
  );
}

const STATUSES = { candidate: "观察中", provisional: "待确认", fading: "快淡忘了" };

/** Connect the form that adds a pet. */
export function wireNewPet() {
  byId("new-pet").addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const pet = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ""));
    if (pet.born_on) pet.born_on_precision = "day";
    try {
      await call("POST", "/v1/pets", pet, { "Idempotency-Key": crypto.randomUUID() });
      form.reset();
      say(`已添加${pet.name}`);
      await refreshCards();
    } catch (error) {
      say(error.message, true);
    }
  });
}
