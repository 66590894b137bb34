// Wires the page: signs the owner in, draws everything once, and draws again what a change touches.

import { drawAccesses } from "/try/access.js";
import { forgetCards, refreshCards, wireNewPet } from "/try/cards.js";
import { loadHistory, wireChat } from "/try/chat.js";
import { refreshConfirmations } from "/try/confirmations.js";
import { byId, say } from "/try/elements.js";
import { forgetMemories, refreshMemories, wireMemories } from "/try/memory.js";
import { session, signIn } from "/try/service.js";
import { wireShares } from "/try/shares.js";
import { refreshConsents, wireTools } from "/try/tools.js";
import { wireTakingAlong } from "/try/taking_along.js";
import { wireTrace } from "/try/trace.js";

async function switchTo(name) {
  if (byId("log").ariaBusy === "true") return say("等这一条回答完再切换");
  document.body.classList.add("loading");
  openSignIn(false); // two owners signed in at once would draw over each other
  try {
    await signIn(name);
    byId("owner").value = session.name;
    forgetCards();
    forgetMemories();
    await draw(refreshCards); // first: the others name the pets
    await draw(refreshConsents, refreshConfirmations, refreshMemories, drawAccesses, loadHistory);
    document.body.dataset.owner = session.name;
  } catch (error) {
    say(error.message, true);
  } finally {
    document.body.classList.remove("loading");
    openSignIn(true);
  }
}

function openSignIn(open) {
  for (const part of byId("sign-in").elements) part.disabled = !open;
}

/** Draw parts of the page; one that cannot be drawn does not keep the others from it. */
async function draw(...parts) {
  const drawn = await Promise.allSettled(parts.map((part) => part()));
  const failed = drawn.find(({ status }) => status === "rejected");
  if (failed) say(failed.reason.message, true);
}

function show(view) {
  document.body.dataset.view = view;
  for (const tab of document.querySelectorAll("[data-shows]")) {
    if (tab.dataset.shows === view) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
}

for (const tab of document.querySelectorAll("[data-shows]")) {
  tab.addEventListener("click", () => show(tab.dataset.shows));
}
document.addEventListener("data-read", () => draw(drawAccesses));
document.addEventListener("memory-changed", async () => {
  await draw(refreshCards, refreshConfirmations);
  await draw(refreshMemories, drawAccesses); // it names pets and shows budgets as the cards know them
});
show("chat");
wireChat();
wireNewPet();
wireTrace();
wireShares();
wireTools(switchTo);
wireMemories();
wireTakingAlong(switchTo);
byId("owner").value = session.name;
await switchTo(session.name);
