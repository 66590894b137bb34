// Sends one message and reads the events of its turn until it has ended, whatever the connection does meanwhile.

import { Problem, send } from "/try/service.js";

const SILENCE_MS = 25000; // the service pings every 10 s; longer silence means that the connection is gone
const PAUSES_MS = [300, 1000, 2000, 4000, 8000]; // before each new attempt
const ENDS = ["done", "error"];
const EVENT_STREAM = { Accept: "text/event-stream" };

/** Say something and hand each event to `tell(name, data)`, once, in order, up to `done` or `error`.
 *
 * `message` carries its client_msg_id: sending it again joins the turn that it already has. After a cut the stream
 * goes on behind the last event seen. Raises Problem when the service refuses or cannot be reached any more.
 */
export async function followTurn(message, tell) {
  const place = { turnId: null, seq: 0 };
  for (let failures = 0; ; ) {
    const before = place.seq;
    const last = await readOnce(message, place, tell);
    if (ENDS.includes(last)) return;
    if (last === "continue") continue;
    failures = place.seq > before ? 1 : failures + 1;
    if (failures > PAUSES_MS.length) throw new Problem(0, { detail: "连接断了，消息可以再发一次", retryable: true });
    await new Promise((resume) => setTimeout(resume, PAUSES_MS[failures - 1]));
  }
}

/** Read one connection to its end. Answers the name of the last event, null when there was no connection. */
async function readOnce(message, place, tell) {
  const cut = new AbortController();
  let last = null;
  for await (const { seq, name, data } of events(await connect(message, place, cut), cut)) {
    last = name;
    if (name === "continue") break;
    if (seq <= place.seq) continue; // a joined turn is told from its beginning
    place.seq = seq;
    if (name === "turn") place.turnId = data.turn_id;
    tell(name, data);
    if (ENDS.includes(name)) break;
  }
  return last;
}

async function connect(message, place, cut) {
  try {
    const response = place.turnId
      ? await send("GET", `/v1/chat/turns/${place.turnId}/events?after=${place.seq}`, undefined, EVENT_STREAM, cut.signal)
      : await send("POST", "/v1/chat/turns", message, EVENT_STREAM, cut.signal);
    return response.body;
  } catch (error) {
    if (error.code === "offline") return null;
    throw error;
  }
}

/** The events of a response body, until it ends or breaks. */
async function* events(body, cut) {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let buffered = "";
  try {
    for (let text = await read(reader, cut); text !== null; text = await read(reader, cut)) {
      const frames = (buffered + text).split("\n\n");
      buffered = frames.pop();
      yield* frames.map(parse).filter(Boolean);
    }
  } finally {
    reader?.cancel().catch(() => {}); // it may be broken already; either way nobody reads on
  }
}

/** The next piece of text, or null when there is no more: ended, broken, or silent for too long. */
async function read(reader, cut) {
  const silence = setTimeout(() => cut.abort(), SILENCE_MS);
  try {
    const { value, done } = (await reader?.read()) ?? { done: true };
    return done ? null : value;
  } catch {
    return null; // the connection is gone; the caller goes on behind the last event
  } finally {
    clearTimeout(silence);
  }
}

function parse(frame) {
  const fields = { id: "0", event: "message", data: "" };
  for (const line of frame.split("\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 1).trimStart();
  }
  return fields.data ? { seq: Number(fields.id), name: fields.event, data: JSON.parse(fields.data) } : null;
}
