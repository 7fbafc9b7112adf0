import { beforeEach, expect, test } from "vitest";
import { sha256 } from "../../src/domain/keys/hash.ts";
import { type Bench, createBench, createShop, refusalOf } from "./bench.ts";

let bench: Bench;
let store_id: string;
beforeEach(async () => {
  bench = createBench();
  store_id = await createShop(bench);
});

test.each([
  [true, "publishable", "hk_live_pub_"],
  [false, "publishable", "hk_test_pub_"],
  [true, "secret", "hk_live_sec_"],
  [false, "secret", "hk_test_sec_"],
] as const)("a key of livemode %s and kind %s has its prefix", async (livemode, kind, prefix) => {
  const { key } = await bench.keys.create({ store_id, livemode, kind });
  expect(key).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{49}$`));
});

test("the whole key is shown once and only its hash is stored", async () => {
  const created = await bench.keys.create({
    store_id,
    livemode: true,
    kind: "secret",
    name: "Server",
  });
  const { key, ...info } = created;
  expect(info).toMatchObject({
    store_id,
    livemode: true,
    kind: "secret",
    name: "Server",
    last4: key.slice(-4),
    revoked_at: null,
  });
  const listed = await bench.keys.list(store_id);
  expect(listed).toEqual([info]);
  const access = await bench.storage.access.findAccess(await sha256(key));
  expect(access?.key.id).toBe(created.id);
  expect(JSON.stringify(access)).not.toContain(key);
  expect(JSON.stringify(listed)).not.toContain(access?.key.key_hash);
});

test("a secret key holds all scopes unless created with fewer, a publishable key its three", async () => {
  const secret = await bench.keys.create({ store_id, livemode: false, kind: "secret" });
  expect(secret.scopes).toEqual([
    "catalog:read",
    "categories:read",
    "checkout:write",
    "orders:read",
    "webhooks:read",
  ]);
  const poller = await bench.keys.create({
    store_id,
    livemode: false,
    kind: "secret",
    scopes: ["webhooks:read", "webhooks:read"],
  });
  expect(poller.scopes).toEqual(["webhooks:read"]);
  const publishable = await bench.keys.create({ store_id, livemode: false, kind: "publishable" });
  expect(publishable.scopes).toEqual(["catalog:read", "categories:read", "checkout:write"]);
});

test("a publishable key takes no scope but its three", async () => {
  const refusal = await refusalOf(() =>
    bench.keys.create({
      store_id,
      livemode: false,
      kind: "publishable",
      scopes: ["catalog:read", "orders:read"],
    }),
  );
  expect(refusal).toMatchObject({ code: "parameter_invalid", param: "scopes[1]" });
  expect(await bench.keys.list(store_id)).toEqual([]);
});

test("a revoked key stays revoked at its first time", async () => {
  const { id, key } = await bench.keys.create({ store_id, livemode: false, kind: "secret" });
  const revoked = await bench.keys.revoke(store_id, id);
  bench.advance(1000);
  expect(await bench.keys.revoke(store_id, id)).toEqual(revoked);
  expect((await bench.storage.access.findAccess(await sha256(key)))?.key.revoked_at).not.toBeNull();
  expect(bench.changed.filter((changed) => changed === store_id).length).toBeGreaterThanOrEqual(2);
});

test("a key of another store cannot be revoked", async () => {
  const other = await bench.stores.create({ name: "Other", currency: "BRL" });
  const { id } = await bench.keys.create({ store_id, livemode: false, kind: "secret" });
  expect(await refusalOf(() => bench.keys.revoke(other.id, id))).toMatchObject({
    code: "resource_not_found",
    param: "key_id",
  });
  expect((await bench.keys.list(store_id))[0]?.revoked_at).toBeNull();
});

const cases: readonly [what: string, input: object, code: string, param: string][] = [
  ["no store", { livemode: true, kind: "secret" }, "parameter_missing", "store_id"],
  ["no mode", { store_id: "str_1", kind: "secret" }, "parameter_missing", "livemode"],
  [
    "a mode in words",
    { store_id: "str_1", livemode: "live", kind: "secret" },
    "parameter_invalid",
    "livemode",
  ],
  [
    "an unknown kind",
    { store_id: "str_1", livemode: true, kind: "admin" },
    "parameter_invalid",
    "kind",
  ],
  [
    "an unknown scope",
    { store_id: "str_1", livemode: true, kind: "secret", scopes: ["orders:write"] },
    "parameter_invalid",
    "scopes[0]",
  ],
  [
    "an unknown field",
    { store_id: "str_1", livemode: true, kind: "secret", scope: [] },
    "parameter_invalid",
    "scope",
  ],
];

test.each(cases)("a key with %s is refused at the call", async (_what, input, code, param) => {
  const create = bench.keys.create as (input: object) => Promise<unknown>;
  expect(await refusalOf(() => create(input))).toMatchObject({ code, param });
});
