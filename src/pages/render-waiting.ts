import { type Html, html } from "../contract/html.ts";
import type { NextAction } from "../rules/payments/next-action.ts";
import { renderElement } from "./element/render-element.ts";
import type { WaitingState } from "./page-state.ts";
import { actionButton, linkButton } from "./parts/elements.ts";
import { type StateIcon, stateIcons } from "./parts/icons.ts";
import { webLink } from "./parts/links.ts";
import { countdown, momentText } from "./parts/moments.ts";
import { qrCode } from "./parts/qr-code.ts";
import type { Scene } from "./scene.ts";
import { formatDay } from "./texts/format.ts";
import type { TextName } from "./texts/text-names.ts";

export const waitingTitles: Readonly<Record<WaitingState, TextName>> = {
  redirect: "redirect_title",
  qr_code: "qr_title",
  qr_expired: "qr_expired_title",
  voucher: "voucher_title",
  client_secret: "secret_title",
  pending: "pending_title",
};

/** Renders what the buyer does or waits for while a payment runs. */
export function renderWaiting(scene: Scene, state: WaitingState, told: TextName | null): Html {
  const { language, view } = scene;
  const notice =
    told === null ? null : html`<p class="notice mild" role="alert">${language.say(told)}</p>`;
  const waits = state !== "client_secret";

  return html`${notice}
${state === "qr_expired" ? qrExpired(scene) : instructions(scene, view.next_action)}
${waits ? html`<p class="live">${language.say("waiting")}</p>` : null}
${waysOn(scene, state)}`;
}

function instructions(scene: Scene, action: NextAction | null): Html {
  switch (action?.type) {
    case "redirect":
      return redirect(scene, action.url);
    case "qr_code":
      return qr(scene, action);
    case "voucher":
      return voucher(scene, action);
    case "client_secret":
      if (scene.view.element !== null) return renderElement(scene, action);
      return stateHead(scene, { icon: "bad", title: "secret_title", next: "secret_next" });
    default:
      return stateHead(scene, { icon: "waiting", title: "pending_title", next: "pending_next" });
  }
}

interface StateHead {
  readonly icon: StateIcon;
  readonly title: TextName;
  readonly next: TextName;
  /** The values of the next step's text. */
  readonly values?: Readonly<Record<string, string>>;
}

/** Renders the sign, the title and the next step of a state. */
export function stateHead({ language }: Scene, { icon, title, next, values }: StateHead): Html {
  return html`<div class="state"><span class="sign ${icon}">${stateIcons[icon]}</span>
<h2>${language.say(title)}</h2><p>${language.say(next, values)}</p></div>`;
}

function redirect(scene: Scene, url: string): Html {
  const head = { icon: "waiting", title: "redirect_title", next: "redirect_next" } as const;
  return html`${stateHead(scene, head)}
${linkButton(scene.language.say("redirect_button"), webLink(url))}`;
}

function qr(scene: Scene, { text, expires_at }: Extract<NextAction, { type: "qr_code" }>): Html {
  const { language } = scene;
  const steps = (["qr_step_open", "qr_step_scan", "qr_step_wait"] as const).map(
    (step) => html`<li>${language.say(step)}</li>`,
  );
  const box = { id: "code", label: "qr_text_label", copy: "copy_code", text } as const;

  const picture = qrCode(text, language.say("qr_picture"));

  return html`<div class="state"><h2>${language.say("qr_title")}</h2>
${expires_at === null ? null : momentText(scene, "pay_until", expires_at)}
${expires_at === null ? null : countdown(scene, expires_at)}</div>
${codeBox(scene, box)}
<ol class="steps">${steps}</ol>
${picture && foldedPicture(scene, picture)}`;
}

/**
 * Folds the picture where the page is narrow, because a phone cannot scan its own screen.
 * The picture stands behind the fold, not in it: only so can a style sheet show it where
 * the page is wide, in every browser and without a script.
 */
const foldedPicture = ({ language }: Scene, picture: Html): Html =>
  html`<div class="qr-fold"><details><summary>${language.say("qr_show")}</summary></details>
${picture}</div>`;

function qrExpired(scene: Scene): Html {
  const head = { icon: "bad", title: "qr_expired_title", next: "qr_expired_next" } as const;
  const again = actionButton(scene.language.say("qr_again"), "restart", "primary");
  return html`${stateHead(scene, head)}
<form method="post" action="${scene.path}">${again}</form>`;
}

function voucher(scene: Scene, action: Extract<NextAction, { type: "voucher" }>): Html {
  const { language, view } = scene;
  const { number, url, expires_at } = action;
  const style = { locale: language.locale, timezone: view.store.timezone };
  const date = expires_at === null ? null : formatDay(expires_at, style);
  const box = {
    id: "number",
    label: "voucher_number_label",
    copy: "copy_number",
    text: number,
  } as const;

  return html`<div class="state"><h2>${language.say("voucher_title")}</h2>
<p>${language.say("voucher_next")}</p>
${date === null ? null : html`<p class="time">${language.say("voucher_until", { date })}</p>`}</div>
${codeBox(scene, box)}
${linkButton(language.say("voucher_link"), webLink(url), "plain")}`;
}

interface CodeBox {
  readonly id: string;
  readonly label: TextName;
  readonly copy: TextName;
  readonly text: string;
}

/**
 * Renders a text to pay with. The button that copies it comes first, so that a phone shows
 * it without scrolling. Without the script there is no button, and the text can be selected.
 */
function codeBox({ language }: Scene, { id, label, copy, text }: CodeBox): Html {
  const rows = text.length > 80 ? 4 : 2;
  return html`<div class="code-box"><button class="button primary" type="button" hidden
data-copy="${id}" data-copied="${language.say("copied")}">${language.say(copy)}</button>
<p class="soft centered" role="status" id="${id}-copied"></p>
<label for="${id}">${language.say(label)}</label>
<textarea id="${id}" readonly rows="${rows}" spellcheck="false">${text}</textarea></div>`;
}

/** Renders the ways on: to ask for the result, to pay in another way, or to give up. */
function waysOn({ language, path, view, sandbox }: Scene, state: WaitingState): Html {
  const isOpen = view.payment_methods.length > 0 && view.session.status === "open";
  const check = language.say(sandbox ? "check_in_test" : "check");
  const other = isOpen && state !== "qr_expired" ? `${path}?change` : null;
  const isStuck = state === "client_secret" && view.element === null;
  const otherKind = isStuck ? "primary" : "quiet";

  return html`<form class="actions" method="post" action="${path}">
${state === "client_secret" ? null : actionButton(check, "check")}
${linkButton(language.say("other_method"), other, otherKind)}
${actionButton(language.say("cancel_payment"), "cancel", "quiet")}
</form>`;
}
