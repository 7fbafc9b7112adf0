import { describe, expect, test } from "vitest";
import { createShop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

describe.each(storages)("ids of the service API, on %s", (_name, open) => {
  test("a text that cannot be an id is refused before the storage sees it; a missing id is named", async () => {
    const shop = await createShop(await open());
    const { orders, subscriptions, checkout } = shop.storefront;
    const where = { store_id: shop.a.id, livemode: false };
    const named = { ...where, reference: "r1" };
    const paid = { ...named, amount: 1, currency: "BRL" };
    const period = { ...named, period_start: "2026-02-01T00:00:00.000Z" };
    const calls: Record<string, readonly ((id: string) => Promise<unknown>)[]> = {
      order_id: [
        (id) => orders.retrieve(id, where),
        (id) => orders.markPaid(id, paid),
        (id) => orders.markFailed(id, where),
        (id) => orders.refund(id, named),
        (id) => orders.openDispute(id, named),
        (id) => orders.closeDispute(id, { ...named, outcome: "won" }),
      ],
      subscription_id: [
        (id) => subscriptions.retrieve(id, where),
        (id) => subscriptions.renew(id, { ...period, amount: 1, currency: "BRL" }),
        (id) => subscriptions.fail(id, period),
        (id) => subscriptions.cancel(id, where),
      ],
      session_id: [
        (id) => checkout.expire(id, where),
        (id) => checkout.complete(id, { ...paid, status: "paid" }),
      ],
      store_id: [(id) => shop.owner.eraseCustomer(id, "u1"), (id) => shop.owner.wipeTestData(id)],
    };
    for (const [param, list] of Object.entries(calls))
      for (const call of list) {
        for (const id of ["x\u0000", "x".repeat(256), ""])
          expect(await thrownBy(call(id)), call.toString()).toMatchObject({
            code: "resource_not_found",
            param,
          });
        expect(await thrownBy(call(undefined as unknown as string)), call.toString()).toMatchObject(
          { code: "parameter_missing", param },
        );
      }
    expect(await thrownBy(shop.owner.eraseCustomer(shop.a.id, "u\u0000"))).toMatchObject({
      code: "parameter_invalid",
      param: "customer_id",
    });
  });

  test("what is no text is no token of a checkout, and what is no mode revokes nothing", async () => {
    const shop = await createShop(await open());
    const { checkout, customers } = shop.storefront;
    for (const token of [undefined, null, ["a"], {}] as unknown as readonly string[])
      for (const call of [
        () => checkout.view(token),
        () => checkout.submit(token, {}),
        () => checkout.resume(token),
        () => checkout.cancel(token),
      ])
        expect(await thrownBy(call())).toMatchObject({ code: "resource_not_found" });

    const customer = { store_id: shop.a.id, livemode: false, customer_id: "u1" };
    for (const [wrong, param] of [
      [{ ...customer, livemode: "false" }, "livemode"],
      [{ ...customer, store_id: ["str_1"] }, "store_id"],
    ] as const)
      expect(await thrownBy(customers.revokeTokens(wrong as never))).toMatchObject({
        code: "parameter_invalid",
        param,
      });
  });
});
