// Confirmation dialogs and messages.

import { h, setText } from "./dom.js";

/** Shows a message for a few seconds, which screen readers announce. */
export function say(text, bad = false) {
  const box = document.getElementById("messages");
  const note = h("p", { class: bad ? "message bad" : "message", text });
  box.append(note);
  setTimeout(() => note.remove(), bad ? 10_000 : 5_000);
}

/** Runs a command of the user and shows its outcome. Never throws. */
export async function attempt(done, command) {
  try {
    const result = await command();
    if (done) say(done);
    return result ?? true;
  } catch (error) {
    say(error.message, true);
    return undefined;
  }
}

/** Asks the user to confirm an action; resolves to the answer. */
export function confirm({ title, text, action, danger = false }) {
  const dialog = document.getElementById("confirm");
  setText(dialog.querySelector("h2"), title);
  setText(dialog.querySelector("p"), text);
  const yes = dialog.querySelector("[value=yes]");
  setText(yes, action);
  yes.className = danger ? "button danger" : "button primary";
  return new Promise((resolve) => {
    const answer = (event) => dialog.close(event.currentTarget.value);
    const buttons = dialog.querySelectorAll("button");
    for (const button of buttons) button.addEventListener("click", answer);
    dialog.addEventListener(
      "close",
      () => {
        for (const button of buttons) button.removeEventListener("click", answer);
        resolve(dialog.returnValue === "yes");
      },
      { once: true },
    );
    dialog.returnValue = "no";
    dialog.showModal();
    dialog.querySelector("[value=no]").focus();
  });
}
