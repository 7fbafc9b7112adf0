import { type Html, html } from "../../contract/html.ts";
import { isAction } from "../../owner/actions.ts";
import type { AuditEntry } from "../../owner/audit.ts";
import { isTextName, type TextName } from "../language.ts";
import type { StoreVisit } from "../screen.ts";
import { type Money, valueText } from "./field-values.ts";
import { bracesOf, listed, phrase, type Values } from "./phrase.ts";
import { type Subject, subjectText } from "./subjects.ts";

/** An entry with the record that it names. */
interface Told {
  readonly visit: StoreVisit;
  readonly entry: AuditEntry;
  readonly subject: Subject;
  readonly money: Money;
}

/** Gives the value of a field after the change, else the one before it. */
const lastValue = ({ before, after }: AuditEntry, field: string): unknown =>
  after?.[field] ?? before?.[field];

const textOf = (entry: AuditEntry, field: string): string | null => {
  const value = lastValue(entry, field);
  return typeof value === "string" ? value : null;
};

/** Says in one sentence who did what. */
export function sentenceOf(visit: StoreVisit, entry: AuditEntry, subject: Subject): Html {
  const { language } = visit;
  const told: Told = { visit, entry, subject, money: moneyOf(visit, entry, subject) };
  const name: TextName =
    pauseOf(entry) ?? (isAction(entry.action) ? `did_${entry.action}` : "did_other");
  const braces = bracesOf(language, name);

  const flag = braces.includes("changes") ? turnedFlag(told) : null;
  if (flag !== null) return flag;
  const values = braces.map((brace) => [brace, braceOf(told, brace)] as const);
  return phrase(language, name, Object.fromEntries(values));
}

/** Gives the sentence of a subscription that was paused, resumed or kept from its end. */
function pauseOf({ action, after }: AuditEntry): TextName | null {
  if (action !== "subscriptions.change" || after === null) return null;
  const paused = after["subscription.paused_at"];
  if (paused !== undefined) return paused === null ? "did_resume" : "did_pause";
  return after["subscription.cancel_at_period_end"] === false ? "did_keep" : null;
}

/** Finds the currency of an entry's amounts: in the entry, else in the record as it is now. */
function moneyOf({ store }: StoreVisit, entry: AuditEntry, { type, known }: Subject): Money {
  const own = textOf(entry, "currency") ?? textOf(entry, "order.currency");
  // What has no currency of its own has the store's.
  const rest = type === "coupon" && known !== null ? store.currency : null;
  const currency = own ?? known?.currency ?? rest;
  const discount = textOf(entry, "discount_type");
  return {
    currency: currency !== null && /^[A-Z]{3}$/.test(currency) ? currency : null,
    isPercent: discount === null ? (known?.isPercent ?? false) : discount === "percentage",
  };
}

/** Gives what stands in one of the braces of a sentence. */
function braceOf(told: Told, brace: string): Html | string {
  const { visit, entry } = told;
  const { say } = visit.language;
  switch (brace) {
    case "actor":
      return html`<strong>${entry.actor}</strong>`;
    case "subject":
    case "of":
      return subjectIn(told, brace);
    case "changes":
      return changesOf(told);
    case "kind":
      return listName(told);
    case "amount":
      return amountOf(told) ?? say("amount_unknown");
    default: {
      const value = lastValue(entry, brace);
      const shown = value == null ? null : valueText(visit, brace, value, told.money);
      return shown ?? say("value_unknown");
    }
  }
}

/** Names the list that was exported as the menu does. */
function listName({ visit, entry }: Told): string {
  const kind = textOf(entry, "kind") ?? "";
  const name = kind === "books" ? "books_title" : `section_${kind}`;
  return isTextName(name) ? visit.language.say(name) : kind;
}

/** Names the record. One that is gone has the name that the entry has kept. */
function subjectIn({ visit, entry, subject }: Told, word: "subject" | "of"): Html {
  const kept = ["name", "code", "url"].flatMap((field) => textOf(entry, field) ?? []);
  const number = lastValue(entry, "order.number");
  const name = subject.type === "order" && typeof number === "number" ? String(number) : kept[0];
  return subjectText(visit, subject, { word, name: name ?? null });
}

const moneyRows = /^refunds\[[^\]]*\]\.amount$/;

/** Gives the amount of the money that an entry of an order has moved. */
function amountOf({ visit, entry, money }: Told): Html | null {
  const found = Object.entries(entry.after ?? {}).find(([field]) => moneyRows.test(field));
  return found ? valueText(visit, "amount", found[1], money) : null;
}

/** Lists the fields that changed, also those whose values are not kept. */
export const changedFields = ({ before, after, withheld, cut }: AuditEntry): readonly string[] => [
  ...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {}), ...withheld, ...cut]),
];

const fieldName = ({ language }: StoreVisit, field: string): Html => {
  const name = `field_${field}`;
  return isTextName(name) ? html`${language.say(name)}` : html`<code>${field}</code>`;
};

/** Says that one thing was turned on or off. Gives null for every other change. */
function turnedFlag(told: Told): Html | null {
  const { visit, entry } = told;
  const [field, another] = changedFields(entry);
  if (field === undefined || another !== undefined || entry.before === null) return null;
  const value = entry.after?.[field];
  if (typeof value !== "boolean") return null;

  const plain = value ? "turned_on" : "turned_off";
  const own = `${plain}_${field}`;
  return phrase(visit.language, isTextName(own) ? own : plain, {
    actor: braceOf(told, "actor"),
    subject: subjectIn(told, "subject"),
    of: subjectIn(told, "of"),
    field: fieldName(visit, field),
  });
}

const mostListed = 4;

/** Names the record, and what of it has changed. */
function changesOf(told: Told): Html {
  const { visit, entry } = told;
  const { language } = visit;
  const subject = subjectIn(told, "subject");
  const fields = changedFields(entry);
  // A new record has every field.
  if (entry.before === null || entry.after === null || fields.length === 0) return subject;

  const [first = ""] = fields;
  if (fields.length === 1) return oneChange(told, first, "change");
  const parts = fields.slice(0, mostListed).map((field) => oneChange(told, field, "part"));
  const more = fields.length > mostListed ? [html`…`] : [];
  return phrase(language, "change_many", { subject, list: listed(language, [...parts, ...more]) });
}

/** Says how one field has changed: `the price of Serra from R$ 2.00 to R$ 3.00`. */
function oneChange(told: Told, field: string, kind: "change" | "part"): Html {
  const { visit, entry, money } = told;
  const { language } = visit;
  const known = entry.before !== null && field in entry.before;
  const before = known ? valueText(visit, field, entry.before?.[field], money) : null;
  const isKept = entry.after !== null && field in entry.after;
  const after = isKept ? valueText(visit, field, entry.after?.[field], money) : null;
  const values: Values = {
    field: fieldName(visit, field),
    of: subjectIn(told, "of"),
    before: before ?? "",
    after: after ?? "",
  };

  if (after === null || before === null)
    return kind === "part" ? html`${values["field"] ?? ""}` : phrase(language, "change_of", values);
  const isNew = entry.before?.[field] == null;
  return phrase(language, isNew ? `${kind}_to` : `${kind}_from_to`, values);
}
