import { describe, expect, test } from "vitest";
import { type Storage, sandboxGateway } from "vitrine";
import { createShop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

/** Loses the answer of the next step that writes a submission. */
function losing(storage: Storage, fault: { isNext: boolean }): Storage {
  const { orders } = storage;
  const step: typeof orders.step = async (...asked) => {
    const result = await orders.step(...asked);
    if (!fault.isNext || (result as { outcome?: string }).outcome !== "submitted") return result;
    fault.isNext = false;
    throw new Error("The connection broke.");
  };
  const own = new Proxy(orders, {
    get(target, name) {
      if (name === "step") return step;
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  return { ...storage, orders: own };
}

describe.each(storages)("a payment that no gateway was asked for, on %s", (_name, open) => {
  test("ends at once: its piece is free, and the next try is charged", async () => {
    const fault = { isNext: false };
    let asked = 0;
    const sandbox = sandboxGateway();
    const shop = await createShop(losing(await open(), fault), {
      limits: { checkout: null },
      gateways: [
        {
          ...sandbox,
          createPayment(request) {
            asked += 1;
            return sandbox.createPayment(request);
          },
        },
      ],
    });
    await shop.owner.products.update(shop.a.id, shop.product.id, { stock: 1 });
    const tokens = [await shop.session(), await shop.session()].map(shop.tokenOf);
    const submit = (at: number) =>
      shop.storefront.checkout.submit(tokens[at] ?? "", { payment_method_id: shop.a.method_id });

    fault.isNext = true;
    expect(String(await thrownBy(submit(0)))).toContain("The connection broke.");
    const [order] = (await shop.get("/orders", { key: shop.a.test.sec })).body.data;
    expect([order.status, order.failure_code, asked]).toEqual(["failed", "error", 0]);

    expect(await submit(1)).toMatchObject({ status: "paid" });
    expect(await thrownBy(submit(0))).toMatchObject({ code: "insufficient_stock" });
    expect(asked).toBe(1);
  });

  test("is submitted again by its buyer", async () => {
    const fault = { isNext: true };
    const shop = await createShop(losing(await open(), fault), { limits: { checkout: null } });
    const token = shop.tokenOf(await shop.session());
    const submit = (idempotency_key: string) =>
      shop.storefront.checkout.submit(token, {
        ...{ payment_method_id: shop.a.method_id, idempotency_key },
      });
    await thrownBy(submit("first"));
    expect(await submit("first")).toMatchObject({ status: "failed" });
    expect(await submit("second")).toMatchObject({ status: "paid" });
  });
});
