import { describe, expect, test } from "vitest";
import {
  customerErased,
  deliveriesRecovered,
  deliveryResent,
  linkCreated,
  recordChanges,
  sessionEnded,
  testDataWiped,
  testEventSent,
  tokensOfCustomer,
} from "../../src/rules/audit/audit-changes.ts";
import type { AuditedChange } from "../../src/rules/audit/audit-records.ts";
import type { StoreRecord } from "../../src/rules/records.ts";
import { now } from "../payments/order-fixtures.ts";
import { entryOf, iso, partition, time, written } from "./audit-fixtures.ts";

describe("the entry of an action", () => {
  const link = {
    store_id: "str_a",
    actor: "bob",
    access: "read",
    created_at: now,
    expires_at: time,
    made_by: "ana",
    made_in: "secret",
    link_hash: "secret",
  } as const;
  const { link_hash: _hash, ...pass } = link;
  const theirs = { store_id: "str_a", livemode: null } as const;
  const store = { id: "str_a", name: "A", catalog_version: 1 } as StoreRecord;
  const stored = { store, origins: [], return_urls: [] };
  const note = { ...partition, order_id: "ord_1", id: "note_1", text: "Ana's", created_at: time };
  const told = (change: AuditedChange | null): AuditedChange => {
    if (!change) throw new Error("Nothing is told.");
    return change;
  };

  test.each<[string, () => AuditedChange, object]>([
    [
      "an origin that is added",
      () => told(recordChanges.store(stored, { ...stored, origins: ["https://a.b"] })),
      {
        ...theirs,
        subject: { type: "store", id: "str_a" },
        before: null,
        after: { origin: "https://a.b" },
      },
    ],
    [
      "a return URL that is removed",
      () => told(recordChanges.store({ ...stored, return_urls: ["https://a.b/x"] }, stored)),
      {
        ...theirs,
        subject: { type: "store", id: "str_a" },
        before: { return_url: "https://a.b/x" },
        after: null,
      },
    ],
    [
      "a note, by its id alone",
      () => told(recordChanges.order_note(null, note)),
      {
        ...partition,
        subject: { type: "order", id: "ord_1" },
        before: null,
        after: { note: "note_1" },
      },
    ],
    [
      "a delivery that is sent again",
      () => deliveryResent({ ...partition, endpoint_id: "we_1", event_id: "evt_1" }),
      { ...partition, subject: { type: "delivery", id: "we_1/evt_1" }, before: null, after: null },
    ],
    [
      "deliveries that are recovered, by their range",
      () =>
        deliveriesRecovered({
          ...partition,
          endpoint_id: "we_1",
          since: time,
          until: time,
          states: ["exhausted"],
        }),
      {
        ...partition,
        subject: { type: "endpoint", id: "we_1" },
        before: null,
        after: { since: iso, until: iso, states: ["exhausted"] },
      },
    ],
    [
      "a customer who is erased",
      () => customerErased({ store_id: "str_a", customer_id: "cus_1" }),
      { ...theirs, subject: { type: "customer", id: "cus_1" }, before: null, after: null },
    ],
    [
      "a customer whose tokens are revoked",
      () => tokensOfCustomer(partition, "cus_1"),
      { ...partition, subject: { type: "customer", id: "cus_1" }, before: null, after: null },
    ],
    [
      "test data that is wiped",
      () => testDataWiped("str_a"),
      { ...partition, subject: { type: "store", id: "str_a" }, before: null, after: null },
    ],
    [
      "a test event",
      () => testEventSent(partition, "we_1"),
      { ...partition, subject: { type: "endpoint", id: "we_1" }, before: null, after: null },
    ],
    [
      "a link, by the person whom it lets in",
      () => linkCreated(link),
      {
        ...theirs,
        subject: { type: "dashboard_link", id: "bob" },
        before: null,
        after: { actor: "bob", access: "read", expires_at: iso, made_by: "ana" },
      },
    ],
    [
      "a session that has ended",
      () => sessionEnded({ ...pass, session_hash: "secret" }),
      {
        ...theirs,
        subject: { type: "dashboard_session", id: "bob" },
        before: { actor: "bob", access: "read", expires_at: iso, made_by: "ana" },
        after: null,
      },
    ],
    [
      "a new store",
      () => told(recordChanges.store(null, stored)),
      { ...theirs, subject: { type: "store", id: "str_a" }, before: null, after: { name: "A" } },
    ],
    [
      "a changed store",
      () => {
        const renamed = { ...store, name: "B", catalog_version: 2 };
        return told(recordChanges.store(stored, { ...stored, store: renamed }));
      },
      {
        ...theirs,
        subject: { type: "store", id: "str_a" },
        before: { name: "A" },
        after: { name: "B" },
      },
    ],
  ])("tells of %s", (_name, change, entry) => {
    expect(entryOf(change())).toEqual({ ...written, withheld: [], ...entry });
  });

  test("tells nothing of a store that stays as it is", () => {
    expect(recordChanges.store(stored, { ...stored })).toBeNull();
  });
});
