// Taking everything along, bringing it back, and closing the account.

import { byId, button, el, say } from "/try/elements.js";
import { call, send, session } from "/try/service.js";

const CONFIRMED = "注销";
const OUTCOMES = { refused: "没有收", candidate: "先观察", provisional: "待确认" };

/** Connect export, import and erasure; `switchTo` signs in again after the account is gone. */
export function wireTakingAlong(switchTo) {
  byId("take-along").append(button("导出全部数据", exportAll));
  byId("file").addEventListener("change", tellPicked);
  byId("bring-back").addEventListener("submit", (event) => {
    event.preventDefault();
    importFile(event.currentTarget).catch((error) => say(error.message, true));
  });
  byId("close-account").addEventListener("submit", (event) => {
    event.preventDefault();
    closeAccount(event.currentTarget, switchTo).catch((error) => say(error.message, true));
  });
}

function tellPicked() {
  byId("picked").textContent = byId("file").files[0]?.name ?? "还没有选文件";
}

async function exportAll() {
  const answer = await send("GET", "/v1/me/export");
  const address = URL.createObjectURL(await answer.blob());
  const name = answer.headers.get("content-disposition")?.match(/filename="?([^";]+)/)?.[1] ?? "pawsignal.zip";
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // the browser has taken it by then
  document.dispatchEvent(new Event("data-read"));
  say("导出好了：一份 export.json，和一个可以直接读的文件夹");
}

async function importFile(form) {
  const sent = new FormData(form);
  if (!sent.get("file")?.size) return say("先选一个 zip 文件", true);
  const told = await (await send("POST", "/v1/me/import", sent)).json();
  form.reset();
  tellPicked();
  const restored = Object.values(told.restored).reduce((sum, count) => sum + count, 0);
  const counts = `恢复 ${restored} 项；新增 ${told.added} 条，合并 ${told.merged} 条，待观察 ${told.candidate} 条，没有收 ${told.refused} 条`;
  const lines = told.lines.filter(({ outcome }) => OUTCOMES[outcome]);
  byId("import-report").replaceChildren(
    el("p", { text: counts }),
    ...told.notes.map((text) => el("p", { class: "soft", text })),
    el("ul", { class: "lines" }, ...lines.map(({ outcome, content, reason }) => el("li", { text: `${OUTCOMES[outcome]}：${content}${reason ? `（${reason}）` : ""}` }))),
  );
  document.dispatchEvent(new Event("memory-changed"));
}

async function closeAccount(form, switchTo) {
  if (new FormData(form).get("sure").trim() !== CONFIRMED) return say(`请输入“${CONFIRMED}”两个字`, true);
  const { receipt } = await call("DELETE", "/v1/me");
  session.token = null;
  form.reset();
  byId("erased").replaceChildren(
    el("p", { text: "账号和全部数据已删除。回执：" }),
    el("p", { class: "soft receipt-code", text: receipt }),
    button("看看删完没有", async () => {
      const { status } = await call("GET", `/v1/erasures/${receipt}`);
      say(status === "done" ? "全部删干净了，磁盘上也没有了" : "还在清理文件和索引，稍等一下");
    }),
  );
  await switchTo(session.name);
}
