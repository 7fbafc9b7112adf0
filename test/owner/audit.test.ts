import { describe, expect, test } from "vitest";
import { type AuditEntry, sandboxGateway } from "vitrine";
import { type AuditedMethod, auditedCalls } from "../../src/startup/audited-calls.ts";
import { createShop, type Shop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";
import { auditedWrites, notificationSecret, personalData } from "./audited-writes.ts";

interface CallTable {
  readonly [name: string]: AuditedMethod | CallTable;
}

/** The path and the action of every write of the table. */
const writesOf = (calls: CallTable, path = ""): readonly (readonly [string, string])[] =>
  Object.entries(calls).flatMap(([name, call]) => {
    if (call === "read") return [];
    if (typeof call.action === "string") return [[path + name, call.action] as const];
    return writesOf(call as CallTable, `${path}${name}.`);
  });
const writes = writesOf(auditedCalls);

const entriesOf = async (shop: Shop, filters: object = {}): Promise<readonly AuditEntry[]> =>
  (await shop.owner.audit.list({ store_id: shop.a.id, limit: 100, ...filters })).data;

test("every write of an actor is tried below", () => {
  expect(Object.keys(auditedWrites).sort()).toEqual(writes.map(([path]) => path).sort());
});

describe.each(storages)("the audit log, on %s", (_name, open) => {
  const openShop = async () => {
    const gateways = [sandboxGateway({ notificationSecret })];
    return createShop(await open(), { limits: { checkout: null }, gateways });
  };

  test("each write of an actor leaves one entry, without secrets and personal data", async () => {
    const shop = await openShop();
    const actions = new Map(writes);

    for (const [path, prepare] of Object.entries(auditedWrites)) {
      const call = await prepare(shop);
      expect(await entriesOf(shop, { actor: path }), path).toEqual([]);
      await call(shop.storefront.as(path));

      const store_id = path === "owner.stores.create" ? "str_c" : shop.a.id;
      const entries = await entriesOf(shop, { store_id, actor: path });
      expect(
        entries.map(({ action }) => action),
        path,
      ).toEqual([actions.get(path)]);
      shop.advance(1);
    }

    const all = JSON.stringify([...(await entriesOf(shop))]);
    expect(await entriesOf(shop)).toHaveLength(writes.length - 1);
    expect(personalData.filter((text) => all.includes(text))).toEqual([]);
    expect(all).not.toMatch(/whsec_|hk_test|sealed|[0-9a-f]{64}/);
  });
});
