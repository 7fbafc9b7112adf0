import { offsetOf } from "../../rules/clock/test-clock.ts";
import { foundPerson, rowOfPerson } from "../../rules/owner/people.ts";
import type { StoreWithAddresses } from "../../rules/owner/record-kinds.ts";
import { foundRecord } from "../../rules/owner/record-kinds.ts";
import { keysOf, withUse } from "../access/access.ts";
import { rowsOfStore } from "../catalog/catalog-rows.ts";
import { moveTestWork, testWork } from "../clock/test-work.ts";
import type { MemoryState } from "../state.ts";
import type { RecordRows } from "./record-rows.ts";

interface AccessRows {
  readonly store: RecordRows<"store">;
  readonly api_key: RecordRows<"api_key">;
  readonly alert: RecordRows<"alert">;
  readonly person: RecordRows<"person">;
}

/** Keeps stores with their lists of addresses, keys, alerts and the people of the dashboard. */
export function accessRows(state: MemoryState): AccessRows {
  const { stores, keys, addresses, alerts } = state.access;
  const { sessions } = state.dashboard;
  const placeOf = (store_id: string, id: string): number =>
    alerts.findIndex((alert) => alert.store_id === store_id && alert.id === id);

  return {
    store: {
      load({ id, unique, test_work_at: now }) {
        const slugs = [...stores.values()].map(({ slug }) => slug);
        const is_taken = unique !== undefined && slugs.includes(unique);
        const test_work = now === undefined ? null : testWork(state, id, now);
        return foundRecord<"store">({ record: readStore(state, id), is_taken, test_work });
      },
      put({ store, origins, return_urls, payment_methods = [] }, before) {
        const ms = offsetOf(store, false) - offsetOf(before?.store, false);
        if (ms > 0) moveTestWork(state, store.id, ms);
        stores.set(store.id, store);
        for (const method of payment_methods)
          rowsOfStore(state.catalog.methods, store.id).set(method.id, method);
        addresses.origin.set(store.id, origins);
        addresses.return_url.set(store.id, return_urls);
      },
    },
    api_key: {
      load({ store_id, id }) {
        const key = keysOf(state, store_id).find((other) => other.id === id);
        const record = key ? withUse(state, key) : null;
        return foundRecord<"api_key">({ owner_exists: stores.has(store_id), record });
      },
      put: ({ last_used_at, ...key }) => void keys.set(key.key_hash, key),
    },
    alert: {
      load: ({ store_id, id }) =>
        foundRecord<"alert">({ record: alerts[placeOf(store_id, id)] ?? null }),
      put: (alert) => void alerts.splice(placeOf(alert.store_id, alert.id), 1, alert),
    },
    person: {
      load(subject) {
        const { store_id } = subject;
        const rows = [...sessions.values()].filter((row) => row.store_id === store_id);
        return foundPerson(rows, subject, stores.has(store_id));
      },
      put: (person) => void sessions.set(`${person.store_id}\n${person.id}`, rowOfPerson(person)),
    },
  };
}

function readStore({ access }: MemoryState, id: string): StoreWithAddresses | null {
  const store = access.stores.get(id);
  if (!store) return null;

  const { origin, return_url } = access.addresses;
  return { store, origins: origin.get(id) ?? [], return_urls: return_url.get(id) ?? [] };
}
