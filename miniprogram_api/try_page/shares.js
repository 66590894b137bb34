// Sharing a pet's record with a vet: what goes along and how long, the link with its code, who has looked, notes.

import { button, byId, el, redraw, say } from "/try/elements.js";
import { call } from "/try/service.js";
import { dayAndTime } from "/try/words.js";

const SVG = "http://www.w3.org/2000/svg";
const SECTIONS = {
  identity: "基本信息",
  alerts: "过敏与警示",
  medications: "用药",
  conditions: "慢性病",
  prevention: "疫苗驱虫",
  growth: "体重",
  visits: "就诊",
  observations: "症状",
  diet: "饮食",
};
const STATES = { live: "有效", expired: "已过期", revoked: "已撤销" };
const OPENED_AS = { page: "网页", json: "数据", fhir: "FHIR" };

let pet = null;

/** Open the dialog for a pet. Raises Problem. */
export async function openShares(subject) {
  pet = subject;
  byId("share-title").textContent = `把${pet.name}的档案给医生看`;
  byId("new-share").reset();
  await drawShares();
  byId("share").showModal();
}

/** Connect the form that makes a share. */
export function wireShares() {
  byId("share-sections").append(
    ...Object.entries(SECTIONS).map(([name, label]) =>
      el("label", { class: "tick" }, el("input", { type: "checkbox", name: "sections", value: name, checked: true }), label),
    ),
  );
  byId("close-share").addEventListener("click", () => byId("share").close());
  byId("new-share").addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await call("POST", `/v1/pets/${pet.id}/shares`, wanted(event.currentTarget), {
        "Idempotency-Key": crypto.randomUUID(),
      });
      await drawShares();
      byId("share-list").querySelector("article")?.scrollIntoView({ block: "nearest" });
      say("链接做好了，给医生看二维码就行");
    } catch (error) {
      say(error.message, true);
    }
  });
}

function wanted(form) {
  const fields = new FormData(form);
  const asked = {
    expires_in_hours: Number(fields.get("hours")),
    sections: fields.getAll("sections"),
    quotes: fields.has("quotes"),
  };
  for (const name of ["passcode", "recipient"]) if (fields.get(name)) asked[name] = fields.get(name);
  return asked;
}

async function drawShares() {
  const [{ items }, notes] = await Promise.all([
    call("GET", `/v1/pets/${pet.id}/shares?limit=5`),
    call("GET", `/v1/pets/${pet.id}/vet-notes?limit=5`),
  ]);
  const whole = await Promise.all(items.map((one) => (one.url ? call("GET", `/v1/shares/${one.id}`) : one)));
  redraw(byId("share-list"), ...notes.items.map(note), ...whole.map(share));
}

function share(one) {
  const live = one.status === "live";
  return el(
    "article",
    { class: "shared" },
    live && qrCode(one.qr_svg),
    el(
      "div",
      {},
      el("p", {}, el("strong", { text: one.recipient ?? "没有写给谁" }), ` · ${STATES[one.status]}${one.has_passcode ? " · 有口令" : ""}`),
      el("p", { class: "soft", text: `${dayAndTime(one.expires_at)} 到期 · ${one.sections.map((name) => SECTIONS[name]).join("、")}` }),
      live && el("p", {}, el("a", { href: one.url, target: "_blank", rel: "noreferrer", text: "打开链接" })),
      log(one),
      live && el("div", { class: "row" }, button("给医生留言码", (pressed) => showNoteCode(one.id, pressed)), button("撤销", () => revoke(one.id))),
    ),
  );
}

function log({ id, opened_count: count, openings }) {
  if (!count) return el("p", { class: "soft", text: "还没有人打开过" });
  const looks = openings.map(({ at, client, opened_as: how }) => el("li", { text: `${dayAndTime(at)} · ${client} · ${OPENED_AS[how]}` }));
  return el("details", { "data-key": id }, el("summary", { text: `打开过 ${count} 次` }), el("ul", { class: "soft" }, ...looks));
}

function note(one) {
  const told = ["diagnosis", "treatment", "note"].map((name) => one.fields[name]).filter(Boolean).join("；");
  const by = `${one.author}${one.clinic ? `（${one.clinic}）` : ""}`;
  const states = { unverified: "身份未核实", confirmed: "已核实", rejected: "已撤下" };
  return el(
    "article",
    { class: "ask inline" },
    el("p", {}, el("strong", { text: by }), ` · ${states[one.status]} · ${dayAndTime(one.left_at)}`),
    told && el("p", { text: told }),
    one.status === "unverified" &&
      el("div", { class: "row" }, button("是这位医生写的", () => answerNote(one.id, "confirm"), { class: "solid small" }), button("不认识，撤下", () => answerNote(one.id, "reject"))),
  );
}

async function answerNote(id, answer) {
  await call("POST", `/v1/vet-notes/${id}/${answer}`, answer === "confirm" ? {} : undefined);
  document.dispatchEvent(new Event("memory-changed"));
  await drawShares();
}

async function showNoteCode(id, pressed) {
  const { code, expires_at: ends } = await call("POST", `/v1/shares/${id}/note-code`);
  pressed.replaceWith(el("p", { class: "settled", text: `留言码 ${code}，${dayAndTime(ends)} 前用一次` }));
}

async function revoke(id) {
  await call("DELETE", `/v1/shares/${id}`);
  await drawShares();
  say("链接已经打不开了");
}

/** The service's SVG holds one path; it is drawn again here, since markup is never put into the page. */
function qrCode(svg) {
  const size = Number(svg.match(/width="(\d+)"/)[1]);
  const drawn = document.createElementNS(SVG, "svg");
  const place = svg.match(/transform="([^"]*)"/)?.[1];
  const parts = { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": "给医生扫的二维码", class: "qr" };
  for (const [name, value] of Object.entries(parts)) drawn.setAttribute(name, value);
  const path = document.createElementNS(SVG, "path");
  if (place) path.setAttribute("transform", place);
  path.setAttribute("d", svg.match(/ d="([^"]*)"/)[1]);
  path.setAttribute("class", "dark");
  drawn.append(path);
  return drawn;
}
