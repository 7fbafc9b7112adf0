import { type IdKind, idPrefixes } from "../../domain/keys/ids.ts";
import { findPerson } from "../access/who.ts";
import type { TextName } from "../language.ts";
import { partitionOf, type StoreVisit } from "../screen.ts";
import { buyerName } from "../screens/sales/customer-parts.ts";
import type { Hit } from "./hit.ts";

/** Finds the record of an id. Throws `resource_not_found` when there is none. */
type Lookup = (visit: StoreVisit, id: string) => Promise<Hit | null>;

const hit = (label: string, note: TextName, path: readonly string[]): Hit => ({
  label,
  note: { text: note },
  path,
});

/** The search of orders finds the other ids: those of payments, sessions and customers. */
const lookups: Readonly<Record<IdKind, Lookup | null>> = {
  async prod({ parts, store }, id) {
    const { name } = await parts.owner.products.retrieve(store.id, id);
    return hit(name, "product", ["products", id]);
  },
  async cat({ parts, store }, id) {
    const { name } = await parts.owner.categories.retrieve(store.id, id);
    return hit(name, "category", ["categories", id]);
  },
  async pm({ parts, store }, id) {
    const { name } = await parts.owner.paymentMethods.retrieve(store.id, id);
    return hit(name, "payment_method", ["payment-methods", id]);
  },
  async cpn({ parts, store }, id) {
    const { code } = await parts.owner.coupons.retrieve(store.id, id);
    return hit(code, "coupon", ["coupons", id]);
  },
  async key({ parts, store, livemode }, id) {
    const found = (await parts.owner.keys.list(store.id)).find((key) => key.id === id);
    return found?.livemode === livemode ? hit(found.name, "key", ["keys", id]) : null;
  },
  async we(visit, id) {
    const { url } = await visit.parts.owner.endpoints.retrieve(partitionOf(visit), id);
    return hit(url, "endpoint", ["webhooks", id]);
  },
  async evt(visit, id) {
    const { type } = await visit.parts.owner.events.retrieve({ ...partitionOf(visit), id });
    return hit(type, "event", ["events", id]);
  },
  async sub(visit, id) {
    const found = await visit.parts.subscriptions.retrieve(id, partitionOf(visit));
    const label = `${found.product_name} · ${buyerName(visit, found.customer)}`;
    return hit(label, "subscription", ["subscriptions", id]);
  },
  async req({ parts, store, livemode }, id) {
    const found = await parts.owner.requests.retrieve({ store_id: store.id, id });
    const label = found.route ?? id;
    return found.livemode === livemode ? hit(label, "request", ["requests", id]) : null;
  },
  async psn({ parts, settings, store }, id) {
    const person = settings.people && (await findPerson(parts, { store_id: store.id, hash: id }));
    return person ? hit(person.name, "section_people", ["people", id]) : null;
  },
  alr: null,
  aud: null,
  cs: null,
  cus: null,
  ent: null,
  li: null,
  note: null,
  oi: null,
  ord: null,
  pay: null,
  rf: null,
  act: null,
  lic: null,
  str: null,
};

const isKind = (prefix: string): prefix is IdKind => Object.hasOwn(idPrefixes, prefix);

/** Gives the kind of an id such as `prod_…`. Null for any other text. */
export function kindOfId(text: string): IdKind | null {
  // The id of a person is shorter than the others: a passkey holds it.
  const [, prefix = ""] = /^([a-z]+)_(?:[0-9A-Z]{26}|[\w-]{22})$/.exec(text) ?? [];
  return isKind(prefix) ? prefix : null;
}

export const findById = async (visit: StoreVisit, kind: IdKind, id: string): Promise<Hit | null> =>
  (await lookups[kind]?.(visit, id)) ?? null;
