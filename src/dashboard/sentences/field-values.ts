import { type Html, html } from "../../contract/html.ts";
import { amountText, countText, percentText, timeTag } from "../format.ts";
import type { StoreVisit } from "../screen.ts";

/** What the values of a field are. The values of any other field are shown in a fold alone. */
const fieldKinds: Readonly<Record<string, "money" | "discount" | "time" | "count" | "text">> = {
  price: "money",
  compare_at_price: "money",
  min_subtotal: "money",
  min_amount: "money",
  max_amount: "money",
  amount: "money",
  discount_amount: "discount",
  starts_at: "time",
  ends_at: "time",
  stock: "count",
  max_quantity: "count",
  max_uses: "count",
  max_uses_per_customer: "count",
  position: "count",
  created: "count",
  updated: "count",
  name: "text",
  slug: "text",
  sku: "text",
  external_id: "text",
  group: "text",
  code: "text",
  country: "text",
  currency: "text",
  locale: "text",
  timezone: "text",
  support_email: "text",
  gateway: "text",
  url: "text",
  origin: "text",
  return_url: "text",
  tool: "text",
  kind: "text",
};

/** How the amounts of an entry are written. */
export interface Money {
  /** Null when nobody knows it any more: no amount is written then. */
  readonly currency: string | null;
  readonly isPercent: boolean;
}

const longestText = 80;

/** Cuts a text between two characters. */
function shortened(text: string): string {
  const letters = [...text];
  return letters.length <= longestText ? text : `${letters.slice(0, longestText).join("")}…`;
}

/**
 * Writes a value of a field for a sentence. Gives null where a sentence cannot hold it: the log
 * may have values of another version, so their types are checked.
 */
export function valueText(
  visit: StoreVisit,
  field: string,
  value: unknown,
  { currency, isPercent }: Money,
): Html | null {
  const { say } = visit.language;
  if (value === null || value === undefined) return html`${say("value_none")}`;
  if (typeof value === "boolean") return html`${say(value ? "value_yes" : "value_no")}`;

  const kind = Object.hasOwn(fieldKinds, field) ? fieldKinds[field] : undefined;
  if (kind === undefined) return null;
  if (typeof value === "string") {
    if (kind === "text") return html`<q>${shortened(value)}</q>`;
    const isTime = kind === "time" && !Number.isNaN(Date.parse(value));
    return isTime ? timeTag(visit, value) : null;
  }

  if (typeof value !== "number" || !Number.isFinite(value)) return null;
  if (kind === "count") return html`${countText(visit, value)}`;
  if (kind === "discount" && isPercent) return html`${percentText(visit, value)}`;
  const isMoney = kind === "money" || kind === "discount";
  if (!isMoney || currency === null || !Number.isSafeInteger(value)) return null;
  return html`${amountText(visit, value, currency)}`;
}
