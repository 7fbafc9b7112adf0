import { describe, expect, test } from "vitest";
import type { FoundRecord, RecordKind } from "../../src/rules/owner/record-kinds.ts";
import type {
  CategoryRecord,
  CouponRecord,
  PaymentMethodRecord,
  StoreRecord,
} from "../../src/rules/records.ts";
import { deleteRecord, putRecord } from "../../src/steps/record-steps.ts";
import { addAddress, removeAddress } from "../../src/steps/store-steps.ts";
import type { RecordStore } from "../../src/storage/record-store.ts";

/** A record store that finds this, and keeps what was decided. */
function finding(found: Partial<FoundRecord>) {
  const written: unknown[] = [];
  const records = {
    async step(
      _subject: object,
      decide: (found: FoundRecord) => { result: unknown; after?: unknown },
    ) {
      const { result, ...decision } = decide({
        owner_exists: true,
        record: null,
        is_taken: false,
        parent_exists: true,
        others: 0,
        test_work: null,
        ...found,
      });
      if ("after" in decision) written.push(decision.after);
      return result;
    },
  } as unknown as RecordStore;
  return { records, written };
}

const category = {
  id: "cat_3",
  store_id: "str_a",
  slug: "three",
  parent_id: null,
} as CategoryRecord;
const method = { id: "pm_1", store_id: "str_a" } as PaymentMethodRecord;
const coupon = { id: "cpn_1", store_id: "str_a", code: "ONE" } as CouponRecord;

describe("what a put of a record is refused for", () => {
  test.each<[string, Partial<FoundRecord>, CategoryRecord | undefined, string]>([
    ["nothing", {}, undefined, "stored"],
    ["an unknown store", { owner_exists: false }, undefined, "unknown_store"],
    ["another's slug", { is_taken: true }, undefined, "slug_taken"],
    ["an unknown parent", { parent_exists: false }, undefined, "unknown_parent"],
    ["one above a thousand", { others: 1_000 }, undefined, "limit"],
    ["the thousandth", { others: 999 }, undefined, "stored"],
    ["a change within a thousand", { record: category, others: 1_000 }, undefined, "stored"],
    ["the record as it was read", { record: category }, category, "stored"],
    ["another record than was read", { record: { ...category, slug: "x" } }, category, "stale"],
    ["a record that was deleted", {}, category, "stale"],
  ])("a category: %s", async (_name, found, before, outcome) => {
    const { records, written } = finding(found);
    expect(await putRecord(records, "category", category, before)).toEqual({ outcome });
    expect(written).toEqual(outcome === "stored" ? [category] : []);
  });

  test("a payment method has a limit and a coupon none, and only its code is its own", async () => {
    const full = finding({ others: 1_000, is_taken: true });
    expect(await putRecord(full.records, "payment_method", method)).toEqual({ outcome: "limit" });
    expect(await putRecord(full.records, "coupon", coupon)).toEqual({ outcome: "code_taken" });
    const many = finding({ others: 1_000_000 });
    expect(await putRecord(many.records, "coupon", coupon)).toEqual({ outcome: "stored" });
  });
});

test.each<[RecordKind]>([["category"], ["coupon"]])("a %s is deleted once", async (on) => {
  const name = { store_id: "str_a", id: "x" };
  const there = finding({ record: category });
  expect(await deleteRecord(there.records, on as "category", name)).toBe(true);
  expect(there.written).toEqual([null]);
  const gone = finding({});
  expect(await deleteRecord(gone.records, on as "category", name)).toBe(false);
  expect(gone.written).toEqual([]);
});

describe("a store's list of addresses", () => {
  const store = { id: "str_a" } as StoreRecord;
  const listing = (origins: readonly string[]) =>
    finding({ record: { store, origins, return_urls: ["kept"] } });
  const named = (address: string) => ({ kind: "origin", store_id: "str_a", address }) as const;

  test.each([
    [["a"], "b", 2, "added", ["a", "b"]],
    [["a", "b"], "c", 2, "limit", null],
    [["a", "b"], "b", 2, "added", null],
    [[], "a", 0, "limit", null],
  ])("to %j %s is added, of at most %d", async (listed, address, most, outcome, origins) => {
    const { records, written } = listing(listed);
    expect(await addAddress(records, named(address), most)).toEqual({ outcome });
    expect(written).toEqual(origins ? [{ store, origins, return_urls: ["kept"] }] : []);
  });

  test.each([
    [["a", "b"], "a", true, ["b"]],
    [["a"], "b", false, null],
  ])("from %j %s is removed: %j", async (listed, address, isRemoved, origins) => {
    const { records, written } = listing(listed);
    expect(await removeAddress(records, named(address))).toBe(isRemoved);
    expect(written).toEqual(origins ? [{ store, origins, return_urls: ["kept"] }] : []);
  });
});
