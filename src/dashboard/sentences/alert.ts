import { type Html, html } from "../../contract/html.ts";
import type { Alert } from "../../owner/alerts.ts";
import { inStore } from "../addresses.ts";
import { codeText, facts, fold, jsonBlock } from "../frame/elements.ts";
import { isTextName, type TextName } from "../language.ts";
import type { StoreVisit } from "../screen.ts";

/** Says what has happened. An alert of a later version is named by its type. */
export function alertTitle({ language }: StoreVisit, type: string): string {
  const name = `alert_is_${type}`;
  return isTextName(name) ? language.say(name) : type;
}

/** Says what has happened and what to do about it. */
export function alertText(visit: StoreVisit, { type }: Alert): Html {
  const name = `alert_do_${type}`;
  const advice = isTextName(name) ? html`<small>${visit.language.say(name)}</small>` : null;
  return html`<strong>${alertTitle(visit, type)}</strong>${advice}`;
}

/** Links what an alert is about, and keeps its codes, ids and values in a fold. */
export function alertDetails(visit: StoreVisit, alert: Alert): Html {
  const { say } = visit.language;
  const { id, type, subject, data } = alert;
  const links = placesOf(alert).map(([label, path]) => {
    const address = inStore({ ...visit, livemode: alert.livemode }, path);
    return html`<p><a href="${address}">${say(label)}</a></p>`;
  });

  return html`${links}${fold(
    say("details"),
    html`${facts([
      [say("type"), codeText(type)],
      [say("audit_subject"), codeText(subject)],
      [say("alert"), codeText(id)],
    ])}${jsonBlock(data)}`,
  )}`;
}

type Place = readonly [label: TextName, path: readonly string[]];

/** Lists the pages of what an alert is about. */
function placesOf({ type, subject, data }: Alert): readonly Place[] {
  const { order_id, product_ids } = data;
  const products = Array.isArray(product_ids) ? product_ids.filter(isString) : [];
  return [
    ...(isString(order_id) ? [["order", ["orders", order_id]] as const] : []),
    ...products.map((id) => ["product", ["products", id]] as const),
    ...(type.startsWith("endpoint_") ? [["endpoint", ["webhooks", subject]] as const] : []),
    ...(type === "agreement_mismatch"
      ? [["subscription", ["subscriptions", subject]] as const]
      : []),
    ...(type === "secret_key_in_browser" ? [["key", ["keys", subject]] as const] : []),
  ];
}

const isString = (value: unknown): value is string => typeof value === "string";
