// The conversation: the log, the composer, and sending one message at a time.

import { byId, el, say } from "/try/elements.js";
import { call, clock, Problem } from "/try/service.js";
import { followTurn } from "/try/turn_stream.js";
import { TurnView } from "/try/turn_view.js";
import { nameOf } from "/try/cards.js";

const MESSAGES_SHOWN = 40; // of the log, when the page opens
const MAX_TEXT = 4000; // characters of one message
const TELL_LEFT = 500; // characters left from where the counter is shown
const NEAR_END_PX = 80; // the log follows what is new only for somebody who reads the end

let running = null; // {view, message, stopped} of the turn under way

/** Draw the log of the owner who is signed in. */
export async function loadHistory() {
  const { items } = await call("GET", `/v1/chat/messages?limit=${MESSAGES_SHOWN}`);
  const views = items.reverse().filter(({ role }) => role === "user").map(viewOf);
  const log = byId("log");
  log.replaceChildren(...(views.length ? views.map(({ view }) => view.element) : [welcome()]));
  log.scrollTop = log.scrollHeight;
  await Promise.all(views.map(({ view, turnId }) => fill(view, turnId)));
  log.scrollTop = log.scrollHeight;
}

function viewOf({ text, said_at: at, turn_id: turnId }) {
  return { turnId, view: new TurnView({ text, at, temporary: false, nameOf }) };
}

async function fill(view, turnId) {
  const answer = turnId ? await call("GET", `/v1/chat/turns/${turnId}`) : null;
  if (answer?.status === "done") view.fill(answer);
  else view.fail(answer?.status === "running" ? "还在回答，稍后刷新看看" : "这一条没有得到回答");
}

function welcome() {
  const lines = ["说说你家毛孩子吧，比如：", "「豆豆对鸡肉过敏，吃了就抓耳朵」", "「咪咪今天称了 4.2 公斤」", "「豆豆最近怎么样，要注意什么？」"];
  return el("div", { class: "welcome" }, ...lines.map((text) => el("p", { text })));
}

async function deliver(message, view) {
  running = { view, message, stopped: false };
  busy(true);
  const told = (name, data) => keepingPlace(() => view.tell(name, data));
  try {
    await followTurn(message, told);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    keepingPlace(() => view.fail(error.message, () => again(message, view)));
  } finally {
    running = null;
    busy(false);
    document.dispatchEvent(new Event("memory-changed"));
  }
}

/** The same client_msg_id: a turn that did happen is joined, one that failed runs again. */
async function again(message, old) {
  const view = newView(message.text, message.temporary);
  old.element.replaceWith(view.element);
  await deliver(message, view);
}

function newView(text, temporary) {
  return new TurnView({ text, at: clock.now().toISOString(), temporary, nameOf });
}

async function submit() {
  const text = byId("text").value;
  if (!text.trim() || running) return;
  const temporary = byId("temporary").checked;
  const message = { text, client_msg_id: crypto.randomUUID(), pet_id: byId("about").value || null, temporary };
  const view = newView(text, temporary);
  byId("text").value = "";
  fit();
  byId("log").querySelector(".welcome")?.remove();
  byId("log").append(view.element);
  byId("log").scrollTop = byId("log").scrollHeight;
  await deliver(message, view);
}

async function stop() {
  if (!running?.view.turnId) return;
  await call("POST", `/v1/chat/turns/${running.view.turnId}/cancel`).catch((error) => say(error.message, true));
}

function busy(yes) {
  byId("send").hidden = yes;
  byId("stop").hidden = !yes;
  byId("log").setAttribute("aria-busy", String(yes));
}

function keepingPlace(change) {
  const log = byId("log");
  const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_END_PX;
  change();
  if (atEnd) log.scrollTop = log.scrollHeight;
}

function fit() {
  const text = byId("text");
  text.style.height = "auto";
  text.style.height = `${text.scrollHeight + 2}px`; // its two borders
  const left = MAX_TEXT - text.value.length;
  byId("left").textContent = left <= TELL_LEFT ? `还能写 ${left} 字` : "";
}

/** Connect the composer. */
export function wireChat() {
  byId("composer").addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  byId("text").addEventListener("input", fit);
  byId("text").addEventListener("keydown", (event) => {
    const sends = event.key === "Enter" && !event.shiftKey && !event.isComposing;
    if (!sends) return;
    event.preventDefault();
    submit();
  });
  byId("stop").addEventListener("click", stop);
}
