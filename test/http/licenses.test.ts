import { beforeEach, describe, expect, test } from "vitest";
import type { Storage } from "vitrine";
import { createShop, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

describe.each(storages)("license keys, on %s", (_name, open) => {
  let shop: Shop;
  let storage: Storage;
  beforeEach(async () => {
    storage = await open();
    shop = await createShop(storage, { limits: { checkout: null } });
  });
  const where = () => ({ store_id: shop.a.id, livemode: false });

  type Call = "validate" | "activate" | "deactivate";
  const ask = (call: Call, body: object, key = shop.a.test.pub) =>
    shop.post(`/licenses/${call}`, { key, body });

  /** Buys a key that works on two machines. */
  const buyKey = async (quantity = 1) => {
    const { id: product_id } = await shop.owner.products.create(shop.a.id, {
      name: "Editor",
      price: 1000,
      currency: "BRL",
      delivery: { type: "license_key", activations: 2 },
    });
    const order = await shop.buy({ items: [{ product_id, quantity }] });
    const { entitlements = [] } = await shop.owner.orders.retrieve({
      ...where(),
      order_id: order.id,
    });
    return { order, product_id, license_key: entitlements[0]?.license_key ?? "" };
  };

  test("a key is activated on as many machines as its product says, once for a name", async () => {
    const { license_key, product_id } = await buyKey();
    const activate = (instance_name: string) => ask("activate", { license_key, instance_name });

    const first = await activate("laptop");
    expect(first.status).toBe(200);
    expect(first.body.data).toMatchObject({
      valid: true,
      reason: null,
      product_id,
      activation_limit: 2,
      activation_usage: 1,
      instance: { id: expect.stringMatching(/^act_/), name: "laptop" },
    });
    expect((await activate("laptop")).body.data).toEqual(first.body.data);
    expect((await activate("desktop")).body.data.activation_usage).toBe(2);

    const third = await activate("phone");
    expect([third.status, third.body.error.code]).toEqual([409, "activation_limit_reached"]);
    const instance_id = first.body.data.instance.id;
    const ended = await ask("deactivate", { license_key, instance_id });
    expect(ended.body.data).toMatchObject({ valid: true, activation_usage: 1, instance: null });
    expect((await ask("deactivate", { license_key, instance_id })).body.data).toEqual(
      ended.body.data,
    );
    expect((await ask("validate", { license_key, instance_id })).body.data).toMatchObject({
      valid: false,
      reason: "unknown_instance",
    });
    expect((await activate("phone")).status).toBe(200);
  });

  test("each piece brings its own activations, and calls at once keep to them", async () => {
    const { license_key } = await buyKey(2);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        ask("activate", { license_key, instance_name: `m${index}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(6);
    const { body } = await ask("validate", { license_key });
    expect(body.data).toMatchObject({ activation_limit: 4, activation_usage: 4, instance: null });
  });

  test("a key is found whatever its case and blanks around it", async () => {
    const { license_key } = await buyKey();
    const typed = ` ${license_key.toLowerCase()} `;
    expect((await ask("validate", { license_key: typed })).body.data.valid).toBe(true);
  });

  test("a key of another store or mode is answered as one that is none", async () => {
    const { license_key } = await buyKey();
    const calls = [
      ["validate", {}],
      ["activate", { instance_name: "x" }],
      ["deactivate", { instance_id: "act_x" }],
    ] as const;
    for (const [call, more] of calls) {
      const none = await ask(call, { license_key: "00000-11111", ...more });
      for (const key of [shop.b.test.pub, shop.a.live.pub]) {
        const others = await ask(call, { license_key, ...more }, key);
        expect(others.status).toBe(none.status);
        expect(others.body.data).toEqual(none.body.data);
        expect(others.body.error).toEqual(none.body.error);
      }
    }
    expect(
      (await ask("activate", { license_key: "0", instance_name: "x" })).body.error,
    ).toMatchObject({ code: "license_invalid", param: "license_key" });
  });

  test("a refund in full ends the key, and a dispute until it is won", async () => {
    const { license_key, order } = await buyKey();
    const instance_name = "laptop";
    const { body } = await ask("activate", { license_key, instance_name });
    const instance_id = body.data.instance.id;
    const { orders } = shop.storefront;

    await orders.openDispute(order.id, { ...where(), reference: "dp_1" });
    const disputed = await ask("validate", { license_key, instance_id });
    expect(disputed.body.data).toMatchObject({ valid: false, reason: "revoked" });
    await orders.closeDispute(order.id, { ...where(), reference: "dp_1", outcome: "won" });
    expect((await ask("validate", { license_key, instance_id })).body.data.valid).toBe(true);

    await orders.refund(order.id, { ...where(), reference: "r1" });
    const refused = await ask("activate", { license_key, instance_name });
    expect([refused.status, refused.body.error.code]).toEqual([409, "license_revoked"]);
  });

  test("an erased buyer's key goes on, and nobody is named by a machine", async () => {
    const { license_key, order } = await buyKey();
    await ask("activate", { license_key, instance_name: "ana-laptop" });
    await shop.owner.eraseCustomer(shop.a.id, order.customer.id);

    expect((await ask("validate", { license_key })).body.data).toMatchObject({
      valid: true,
      activation_usage: 1,
    });
    const stored = JSON.stringify(await storage.orders.find("order", where(), order.id));
    expect(stored).not.toContain("ana-laptop");
  });

  test("a wrong body is refused with its field, and too many calls of an address are", async () => {
    const missing = await ask("activate", { license_key: "K" });
    expect([missing.status, missing.body.error.param]).toEqual([400, "instance_name"]);
    const empty = await ask("validate", { license_key: "" });
    expect([empty.status, empty.body.error.param]).toEqual([400, "license_key"]);

    const answers = [];
    for (let call = 0; call < 60; call += 1)
      answers.push((await ask("validate", { license_key: "K" })).status);
    expect(answers.at(0)).toBe(200);
    expect(answers.at(-1)).toBe(429);
  });

  test("an owner sees the machines of an order's keys, and frees the place of one", async () => {
    const { license_key, order } = await buyKey();
    for (const instance_name of ["laptop", "desktop"])
      await ask("activate", { license_key, instance_name });
    const { orders } = shop.owner;
    const of = { ...where(), order_id: order.id };
    const uses = await orders.listActivations(of);
    const [first] = uses;
    if (!first) throw new Error("Nothing is in use.");
    expect(uses.map(({ name }) => name)).toEqual(["laptop", "desktop"]);
    expect(first).toEqual({
      id: expect.stringMatching(/^act_/),
      entitlement_id: expect.stringMatching(/^ent_/),
      name: "laptop",
      created_at: new Date(shop.now()).toISOString(),
    });

    const { id: activation_id, entitlement_id } = first;
    const ended = { ...of, entitlement_id, activation_id };
    expect((await orders.deactivate(ended)).map(({ name }) => name)).toEqual(["desktop"]);
    expect((await orders.deactivate(ended)).map(({ name }) => name)).toEqual(["desktop"]);
    expect((await ask("validate", { license_key, instance_id: activation_id })).body.data).toEqual(
      expect.objectContaining({ valid: false, reason: "unknown_instance" }),
    );
    expect((await ask("activate", { license_key, instance_name: "phone" })).status).toBe(200);

    for (const [wrong, param] of [
      [{ ...ended, store_id: shop.b.id }, "entitlement_id"],
      [{ ...ended, livemode: true }, "entitlement_id"],
      [{ ...ended, entitlement_id: "ent_none" }, "entitlement_id"],
      [{ ...ended, order_id: "ord_none" }, "entitlement_id"],
    ] as const)
      await expect(orders.deactivate(wrong)).rejects.toMatchObject({
        code: "resource_not_found",
        param,
      });
    await expect(orders.listActivations({ ...of, livemode: true })).rejects.toMatchObject({
      code: "resource_not_found",
      param: "order_id",
    });
  });
});
