import { type Html, html, raw } from "../../contract/html.ts";

/** `primary` stands out, and a page has one such button. `quiet` is for a way that few take. */
type ButtonKind = "primary" | "plain" | "quiet";

/** Renders a button that sends its form with this action. */
export const actionButton = (label: string, action: string, kind: ButtonKind = "plain"): Html =>
  html`<button class="button ${kind}" name="action" value="${action}">${label}</button>`;

/** Renders a link that looks like a button. Gives nothing where there is no address. */
export const linkButton = (
  label: string,
  address: string | null,
  kind: ButtonKind = "primary",
): Html | null =>
  address === null ? null : html`<a class="button ${kind}" href="${address}">${label}</a>`;

/** Renders a short line below something larger. */
export const note = (text: string): Html => html`<p class="soft centered">${text}</p>`;

/** Writes an attribute without a value, where it applies. */
export const flag = (name: string, applies: boolean): Html => raw(applies ? name : "");
