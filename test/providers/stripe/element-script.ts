/**
 * Stands for Stripe.js: the parts of it that a page with a Payment Element calls. As there, what the
 * buyer types stays in a frame of the provider, and the page gets nothing but the outcome.
 */
export const elementScript = `
"use strict";
(() => {
const origin = new URL(document.currentScript.src).origin;

const frameOf = (path, title, height) => {
  const frame = document.createElement("iframe");
  frame.src = origin + path;
  frame.title = title;
  frame.style.width = "100%";
  frame.style.height = height;
  frame.style.border = "0";
  return frame;
};

/** Resolves to the next message of this type that the frame sends. */
const messageOf = (frame, type) =>
  new Promise((done) => {
    const listen = ({ origin: from, source, data }) => {
      if (from !== origin || source !== frame.contentWindow || data.type !== type) return;
      removeEventListener("message", listen);
      done(data);
    };
    addEventListener("message", listen);
  });

window.Stripe = (key, { locale = "en", stripeAccount = "" } = {}) => {
  const send = async (path, fields) => {
    const body = new URLSearchParams({ key, account: stripeAccount, ...fields });
    const answer = await fetch(origin + path, { method: "POST", body });
    return answer.json();
  };

  const confirm = async ({ elements: { client_secret, frame } }) => {
    const given = messageOf(frame, "card");
    frame.contentWindow.postMessage("give", origin);
    const { card } = await given;
    if (card.length < 12) return { error: { type: "validation_error", code: "incomplete_number" } };

    const first = await send("/basil/confirm", { client_secret, card });
    if (first.next !== "three_d_secure") return first;

    const dialog = document.createElement("dialog");
    const bank = frameOf("/basil/3ds?locale=" + locale, "3-D Secure", "12rem");
    dialog.append(bank);
    document.body.append(dialog);
    dialog.showModal();
    const { approve } = await messageOf(bank, "answer");
    dialog.remove();
    return send("/basil/3ds", { client_secret, approve });
  };

  return {
    elements({ clientSecret, appearance }) {
      const elements = { client_secret: clientSecret, frame: null };
      const handlers = {};
      elements.create = () => ({
        on: (name, handler) => void (handlers[name] = handler),
        mount(place) {
          const look = new URLSearchParams({ locale, theme: appearance.theme });
          elements.frame = frameOf("/basil/element?" + look, "Secure payment input frame", "6rem");
          messageOf(elements.frame, "ready").then(() => handlers.ready?.());
          place.append(elements.frame);
        },
      });
      return elements;
    },
    confirmPayment: confirm,
    confirmSetup: confirm,
  };
};
})();
`;

/** The script inside the frame of the card. */
export const cardScript = `
"use strict";
const field = document.querySelector("input");
const tell = (message) => parent.postMessage(message, "*");
addEventListener("message", ({ data, source }) => {
  if (source !== parent || data !== "give") return;
  const card = field.value.replaceAll(" ", "");
  document.querySelector("p").hidden = card.length >= 12;
  tell({ type: "card", card });
});
tell({ type: "ready" });
`;

/** The script inside the frame of the bank. */
export const bankScript = `
"use strict";
for (const button of document.querySelectorAll("button"))
  button.addEventListener("click", () =>
    parent.postMessage({ type: "answer", approve: button.value }, "*"),
  );
`;
