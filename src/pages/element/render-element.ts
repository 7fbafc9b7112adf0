import { type Html, html } from "../../contract/html.ts";
import { actionButton } from "../parts/elements.ts";
import { isTrial } from "../parts/renewal.ts";
import { amountText, type Scene } from "../scene.ts";

type SecretAction = Extract<Scene["view"]["next_action"], { type: "client_secret" }>;

/**
 * Renders the place of the provider's form. Its script fills it in; the button to the provider's
 * page is there from the beginning, for a browser without a script and one that blocks it.
 */
export function renderElement(scene: Scene, action: SecretAction): Html {
  const { language, path } = scene;
  const { client_secret, publishable_key, account = "" } = action;
  return html`<div class="state"><h2>${language.say("element_title")}</h2>
<p>${language.say("element_next")}</p></div>
<p class="soft centered" id="element-loading">${language.say("element_loading")}</p>
<div class="element" id="element-box" data-client_secret="${client_secret}"
data-publishable_key="${publishable_key}" data-account="${account}"
data-locale="${language.locale}" data-failed="${language.say("element_failed")}"
data-declined="${language.say("declined")}" data-paying="${language.say("element_paying")}">
<div id="element"></div>
<p class="notice" role="alert" id="element-problem" hidden></p>
<button class="button primary" type="button" id="element-pay" hidden>${payLabel(scene)}</button>
</div>
<form method="post" action="${path}">
<input type="hidden" name="attempt" value="${attemptKey(scene)}">
${actionButton(language.say("element_provider"), "provider")}</form>`;
}

/** Says what the button of a payment does. */
export function payLabel(scene: Scene): string {
  const { language, view } = scene;
  const { amount_total } = view.session;
  if (amount_total > 0) return language.say("pay", { amount: amountText(scene, amount_total) });
  return language.say(isTrial(view.recurring) ? "start_trial" : "confirm");
}

/** Forms that were rendered from one state of the order have one key, and are submitted once. */
export const attemptKey = ({ view: { session, order } }: Scene): string =>
  `${session.id}:${order?.updated_at ?? "first"}`;
