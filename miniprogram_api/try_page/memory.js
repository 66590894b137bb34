// The memory page: budgets, search, the three groups, what is only watched, and the weekly review.

import { button, byId, el, say } from "/try/elements.js";
import { call } from "/try/service.js";
import { budgetBars } from "/try/cards.js";
import { memoryLine } from "/try/memory_line.js";
import { drawArchives, drawDiary } from "/try/archives.js";
import { dayAndTime } from "/try/words.js";

const SHOWN = 30; // memories of a group at once; the rest by 再看一些
const FOUND = 20;

let latest = 0; // of the refreshes; an answer that comes after a newer one began is dropped

/** Draw the page again. Lists that are open and were just changed by hand stay. */
export async function refreshMemories() {
  const mine = ++latest;
  const kept = byId("memory").dataset.kept === "true";
  delete byId("memory").dataset.kept;
  byId("budgets").replaceChildren(...budgetBars());
  if (!kept) byId("found").replaceChildren(); // now: what is found while the lists are read stays
  const [groups, watched, reviews] = await Promise.all([
    call("GET", "/v1/memories/groups"),
    call("GET", `/v1/memories?status=candidate&limit=${SHOWN}`),
    call("GET", "/v1/reviews"),
  ]);
  if (mine !== latest) return;
  if (kept) return recount(groups.items);
  byId("groups").replaceChildren(...groups.items.map(openOrNew));
  recount(groups.items);
  byId("pool").replaceChildren(...pool(watched.items, reviews.items));
  await Promise.all([drawArchives(), drawDiary()]);
}

/** A list that is open stays as its owner left it. */
function openOrNew(one) {
  const drawn = byId("groups").querySelector(`[data-group="${one.group}"]`);
  return drawn?.querySelector("details[open]") ? drawn : group(one);
}

function recount(items) {
  for (const { group: name, sentence } of items) {
    const told = byId("groups").querySelector(`[data-group="${name}"] .sentence`);
    if (told) told.textContent = sentence;
  }
}

function group({ group: name, label, sentence, sources, count }) {
  const list = el("ul", { class: "lines" });
  const open = el("details", {}, el("summary", { text: "逐条看" }), list);
  open.addEventListener("toggle", () => {
    if (open.open && !list.childElementCount) more(list, sources.map((source) => ({ source, cursor: "" }))).catch((error) => say(error.message, true));
  });
  return el("article", { class: "group", "data-group": name }, el("h3", { text: label }), el("p", { class: "soft sentence", text: sentence }), count > 0 && open);
}

/** The next page of each source that has one. */
async function more(list, places) {
  list.querySelector(".more")?.remove();
  const rest = [];
  for (const { source, cursor } of places) {
    const asked = new URLSearchParams({ source, limit: String(SHOWN), ...(cursor && { cursor }) });
    const page = await call("GET", `/v1/memories?${asked}`);
    list.append(...page.items.map(memoryLine));
    if (page.next_cursor) rest.push({ source, cursor: page.next_cursor });
  }
  if (rest.length) list.append(el("li", { class: "more" }, button("再看一些", () => more(list, rest))));
}

function pool(watched, reviews) {
  const lines = watched.length ? [el("ul", { class: "lines" }, ...watched.map(memoryLine))] : [];
  const asked = reviews.map((one) =>
    el(
      "div",
      { class: "review" },
      el("p", { text: one.text }),
      el("div", { class: "row" }, button("有关系，留着", () => settle(one.id, "keep")), button("没有关系", () => settle(one.id, "dismiss"))),
    ),
  );
  return lines.length || asked.length ? [...lines, ...asked] : [el("p", { class: "empty", text: "没有在观察的事。" })];
}

async function settle(id, answer) {
  await call("POST", `/v1/reviews/${id}/${answer}`);
  say(answer === "keep" ? "留着，说的时候会讲明只是猜测" : "划掉了，不再提起");
  document.dispatchEvent(new Event("memory-changed"));
}

/** Forget what was drawn for another owner. */
export function forgetMemories() {
  for (const id of ["groups", "pool", "found", "archives", "diary"]) byId(id).replaceChildren();
}

/** Connect the search. */
export function wireMemories() {
  byId("search").addEventListener("submit", async (event) => {
    event.preventDefault();
    const { q, where } = Object.fromEntries(new FormData(event.currentTarget));
    if (!q.trim()) return;
    try {
      const drawn = where === "chat" ? await ofChat(q.trim()) : await ofMemory(q.trim());
      byId("found").replaceChildren(drawn ?? el("p", { class: "empty", text: "没有找到。换个说法试试。" }));
    } catch (error) {
      say(error.message, true);
    }
  });
}

async function ofMemory(q) {
  const { items } = await call("GET", `/v1/memories?${new URLSearchParams({ q, limit: String(FOUND) })}`);
  return items.length ? el("ul", { class: "lines" }, ...items.map(memoryLine)) : null;
}

async function ofChat(q) {
  const { items } = await call("GET", `/v1/chat/search?${new URLSearchParams({ q, limit: String(FOUND) })}`);
  const drawn = items.map(({ role, said_at: at, snippet }) =>
    el(
      "li",
      {},
      el("span", { class: "soft", text: `${dayAndTime(at)} · ${role === "user" ? "你" : "宠爱信号（AI 生成）"}` }),
      el("span", { class: "line" }, ...snippet.map(({ text, hit }) => el(hit ? "mark" : "span", { text }))),
    ),
  );
  return items.length ? el("ul", { class: "lines" }, ...drawn) : null;
}
