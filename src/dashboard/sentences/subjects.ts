import { type Html, html } from "../../contract/html.ts";
import type { AuditEntry } from "../../owner/audit.ts";
import type { AuditSubject, AuditSubjectType } from "../../rules/audit/audit-records.ts";
import { findPerson } from "../access/who.ts";
import { inStore } from "../addresses.ts";
import { breakable } from "../frame/elements.ts";
import { isTextName } from "../language.ts";
import { readFew } from "../read-few.ts";
import type { StoreVisit } from "../screen.ts";
import { phrase } from "./phrase.ts";

/** What a stored record says of itself now. */
interface Known {
  readonly name: string;
  /** The currency of its amounts. */
  readonly currency?: string | null;
  /** True for a coupon whose discount is a percentage. */
  readonly isPercent?: boolean;
}

/** A record that an entry names. */
export interface Subject extends AuditSubject {
  /** Null when the record is gone, or has no name. */
  readonly known: Known | null;
  /** The page of the record. Null when it has none. */
  readonly address: string | null;
}

interface SubjectKind {
  /** Gives the segments of the page of a record. Null: records of this kind have no page. */
  path(id: string): readonly string[] | null;
  /** Reads the record. It is left out where the page of the kind exists without it. */
  readonly read?: (visit: StoreVisit, id: string) => Promise<Known | null>;
}

const at =
  (first: string) =>
  (id: string): readonly string[] => [first, id];

const kinds: Readonly<Record<AuditSubjectType, SubjectKind>> = {
  store: { path: () => ["settings"] },
  api_key: {
    path: at("keys"),
    async read({ parts, store }, id) {
      const keys = await parts.owner.keys.list(store.id);
      return keys.find((key) => key.id === id) ?? null;
    },
  },
  product: {
    path: at("products"),
    read: ({ parts, store }, id) => parts.owner.products.retrieve(store.id, id),
  },
  category: {
    path: at("categories"),
    read: ({ parts, store }, id) => parts.owner.categories.retrieve(store.id, id),
  },
  coupon: {
    path: at("coupons"),
    async read({ parts, store }, id) {
      const { code, currency, min_subtotal_currency, discount_type } =
        await parts.owner.coupons.retrieve(store.id, id);
      const isPercent = discount_type === "percentage";
      return { name: code, currency: currency ?? min_subtotal_currency, isPercent };
    },
  },
  payment_method: {
    path: at("payment-methods"),
    async read({ parts, store }, id) {
      const { name, currencies } = await parts.owner.paymentMethods.retrieve(store.id, id);
      return { name, currency: currencies[0] ?? null };
    },
  },
  endpoint: {
    path: at("webhooks"),
    async read({ parts, store, livemode }, id) {
      const { url } = await parts.owner.endpoints.retrieve({ store_id: store.id, livemode }, id);
      return { name: url };
    },
  },
  delivery: { path: (id) => ["deliveries", ...id.split("/", 2)] },
  alert: { path: () => ["alerts"] },
  order: {
    path: at("orders"),
    async read({ parts, store, livemode }, order_id) {
      const where = { store_id: store.id, livemode, order_id };
      const { number, currency } = await parts.owner.orders.retrieve(where);
      return { name: String(number), currency };
    },
  },
  payment: { path: () => null },
  checkout_session: { path: () => null },
  subscription: {
    path: at("subscriptions"),
    async read({ parts, store, livemode }, id) {
      const where = { store_id: store.id, livemode };
      const { product_name, currency } = await parts.subscriptions.retrieve(id, where);
      return { name: product_name, currency };
    },
  },
  customer: {
    path: at("customers"),
    async read({ parts, store, livemode }, customer_id) {
      const where = { store_id: store.id, livemode, customer_id };
      const { name, email } = await parts.owner.customers.retrieve(where);
      return { name: name ?? email ?? customer_id };
    },
  },
  // The id of a link and of a session is the name of the person whom it lets in.
  dashboard_link: { path: () => null, read: async (_visit, id) => ({ name: id }) },
  dashboard_session: { path: () => null, read: async (_visit, id) => ({ name: id }) },
  person: {
    path: at("people"),
    read: ({ parts, store }, id) => findPerson(parts, { store_id: store.id, hash: id }),
  },
};

/** A newer version may know more kinds. */
const kindOf = (type: string): SubjectKind =>
  Object.hasOwn(kinds, type) ? kinds[type as AuditSubjectType] : { path: () => null };

type Entry = Pick<AuditEntry, "subject" | "livemode">;

const keyOf = ({ subject, livemode }: Entry): string =>
  `${livemode ?? ""} ${subject.type} ${subject.id}`;

/** Gives the record that an entry is about. */
export type SubjectOf = (entry: Entry) => Subject;

/**
 * Reads each record that the entries name once. The address is null where this host does not
 * serve the record's mode.
 */
export async function readSubjects(
  visit: StoreVisit,
  entries: readonly Entry[],
): Promise<SubjectOf> {
  const byKey = new Map(entries.map((entry) => [keyOf(entry), entry]));
  const visitIn = ({ livemode }: Entry): StoreVisit =>
    livemode === null ? visit : { ...visit, livemode };
  const known = await readFew([...byKey.keys()], async (key) => {
    const entry = byKey.get(key);
    if (!entry) return null;
    const { type, id } = entry.subject;
    return (await kindOf(type).read?.(visitIn(entry), id)) ?? null;
  });

  return (entry) => {
    const { type, id } = entry.subject;
    const found = known.get(keyOf(entry)) ?? null;
    const { path, read } = kindOf(type);
    const there = visitIn(entry);
    const isServed = visit.parts.modes[there.livemode ? "live" : "test"];
    const segments = isServed && (found !== null || !read) ? path(id) : null;
    const address = segments === null ? null : inStore(there, segments);
    return { type, id, known: found, address };
  };
}

/** Writes the record with a link to its page, as the subject of a sentence or behind `of`. */
export function subjectText(
  { language }: StoreVisit,
  { type, known, address }: Subject,
  { word, name }: { readonly word: "subject" | "of"; readonly name: string | null },
): Html {
  const shown = known?.name ?? name ?? language.say("subject_gone");
  const label = breakable(shown);
  const text = `${word}_${type}`;
  if (!isTextName(text)) return html`${language.say("subject_gone")}`;
  if (address === null) return phrase(language, text, { name: label });

  const isNamed = language.say(text).includes("{name}");
  const link = (part: Html): Html => html`<a href="${address}">${part}</a>`;
  return isNamed ? phrase(language, text, { name: link(label) }) : link(phrase(language, text, {}));
}
