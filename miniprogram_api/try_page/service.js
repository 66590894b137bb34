// Calls the API: who is signed in, what time it is for the service, and errors in the owner's words.

const OWNER_KEY = "pawsignal.try.owner";
const SHIFT_KEY = "pawsignal.try.shift";

/** Who is signed in. `token` is null until then; `timezone` is the owner's. */
export const session = { name: localStorage.getItem(OWNER_KEY) || "demo", token: null, timezone: "Asia/Shanghai" };

/** A refusal of the service. `message` can be shown to an owner. */
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || "服务没有回应，请稍后再试");
    this.status = status;
    this.code = body.code || "unknown";
    this.retryable = Boolean(body.retryable);
  }
}

/** Sign in as `dev:<name>`; the first time makes the owner. */
export async function signIn(name) {
  session.token = null;
  const answer = await call("POST", "/v1/auth/wechat", { code: `dev:${name}` });
  session.name = name;
  session.token = answer.access_token;
  session.timezone = answer.owner.timezone || session.timezone;
  localStorage.setItem(OWNER_KEY, name);
}

/** One call; answers the parsed JSON, or null for 204. Raises Problem. */
export async function call(method, path, body, headers = {}) {
  const response = await send(method, path, body, { Accept: "application/json", ...headers });
  return response.status === 204 ? null : response.json();
}

/** One call whose answer is read by the caller. A dead token is renewed once. Raises Problem. */
export async function send(method, path, body, headers = {}, signal = undefined) {
  let response = await request(method, path, body, headers, signal);
  if (response.status === 401 && session.token) {
    await signIn(session.name);
    response = await request(method, path, body, headers, signal);
  }
  if (!response.ok) throw new Problem(response.status, await response.json().catch(() => ({})));
  return response;
}

async function request(method, path, body, headers, signal) {
  const sent = { ...headers };
  if (session.token) sent.Authorization = `Bearer ${session.token}`;
  const isForm = body instanceof FormData; // the browser writes its own content type
  if (body !== undefined && !isForm) sent["Content-Type"] = "application/json";
  if (clock.shifted) sent["X-Pawsignal-Now"] = clock.iso();
  try {
    return await fetch(path, { method, headers: sent, body: isForm ? body : body && JSON.stringify(body), signal, cache: "no-store" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, { detail: "连不上服务，请看看它是不是还在运行", code: "offline", retryable: true });
  }
}

/** The domain clock: it runs like the real one, `shift` milliseconds away from it. */
export const clock = {
  shift: Number(sessionStorage.getItem(SHIFT_KEY)) || 0,
  get shifted() {
    return this.shift !== 0;
  },
  now() {
    return new Date(Date.now() + this.shift);
  },
  iso() {
    return `${localMinute(this.now(), true)}${offsetOf(this.now())}`;
  },
  set(shift) {
    this.shift = shift;
    sessionStorage.setItem(SHIFT_KEY, String(shift));
  },
};

/** The instant that a clock on the owner's wall shows as `2026-03-01T08:00`. */
export function instantOf(wall) {
  const guess = new Date(`${wall}:00Z`);
  return new Date(`${wall}:00${offsetOf(guess)}`);
}

/** An instant as the owner's wall shows it: `2026-03-01T08:00`, with seconds if asked. */
export function localMinute(instant, seconds = false) {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat("en-CA", {
      timeZone: session.timezone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
    })
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  const minute = `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`;
  return seconds ? `${minute}:${parts.second}` : minute;
}

function offsetOf(instant) {
  const zone = { timeZone: session.timezone, timeZoneName: "longOffset" };
  const name = new Intl.DateTimeFormat("en", zone).formatToParts(instant).find(({ type }) => type === "timeZoneName");
  return name.value.replace("GMT", "") || "+00:00";
}
