import { beforeEach, describe, expect, test } from "vitest";
import { type CatalogSource, memoryStorage } from "vitrine";
import { hostCatalog, type StockBook } from "../support/host-stock.ts";
import { type Answer, createShop, type Shop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

describe.each(storages)("cards that somebody tries, on %s", (_name, open) => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await createShop(await open(), { limits: { checkout: null } });
  });

  const submit = async (made: Answer, outcome: string, more: object = {}) =>
    shop.storefront.checkout.submit(shop.tokenOf(made), {
      payment_method_id: shop.a.method_id,
      input: { outcome },
      ...more,
    });
  const typesOf = async (): Promise<readonly string[]> => {
    const { body } = await shop.get("/events?limit=100", { key: shop.a.test.sec });
    return body.data.map(({ type }: { readonly type: string }) => type);
  };

  test("fail ten times in a session; the next one is told to begin anew, and nobody is called", async () => {
    const made = await shop.session();
    for (let times = 0; times < 10; times += 1)
      expect(await submit(made, "decline")).toMatchObject({ status: "failed" });

    for (const outcome of ["decline", "succeed"])
      expect(await thrownBy(submit(made, outcome))).toMatchObject({ code: "too_many_attempts" });
    expect((await typesOf()).filter((type) => type === "order.failed")).toHaveLength(10);
    expect(await submit(await shop.session(), "succeed")).toMatchObject({ status: "paid" });
  });

  test("are ten failures at most when fifty submissions come at once, again and again", async () => {
    const made = await shop.session();
    for (let round = 0; round < 12; round += 1)
      await Promise.allSettled(Array.from({ length: 50 }, () => submit(made, "decline")));
    expect((await typesOf()).filter((type) => type === "order.failed")).toHaveLength(10);
  });

  test("that the buyer gives up count for nothing, and a repeat of an old key has its old answer", async () => {
    const made = await shop.session();
    const { checkout } = shop.storefront;
    for (let times = 0; times < 12; times += 1) {
      await submit(made, "pending_then_succeed");
      await checkout.cancel(shop.tokenOf(made));
    }
    for (let times = 0; times < 10; times += 1)
      await submit(made, "decline", { idempotency_key: `k${times}` });
    expect(await thrownBy(submit(made, "decline"))).toMatchObject({ code: "too_many_attempts" });
    expect(await submit(made, "decline", { idempotency_key: "k9" })).toMatchObject({
      status: "failed",
    });
  });

  test("come from one address thirty times a minute, over all sessions and at once", async () => {
    const sessions = await Promise.all(Array.from({ length: 40 }, () => shop.session()));
    const ip = "203.0.113.7";
    const results = await Promise.allSettled(
      sessions.map((made) => submit(made, "succeed", { ip })),
    );
    const passed = results.filter(({ status }) => status === "fulfilled");
    expect(passed).toHaveLength(30);
    const refused = results.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(["rate_limit_exceeded"]));
    expect(refused[0].details.retry_after).toBe(60);

    // Another address, none at all, and the next minute are free.
    const left = sessions.filter((_, index) => results[index]?.status === "rejected");
    const [first, second, third] = left;
    if (!first || !second || !third) throw new Error("Too few sessions are left.");
    expect(await submit(first, "succeed", { ip: "203.0.113.8" })).toMatchObject({ status: "paid" });
    expect(await submit(second, "succeed")).toMatchObject({ status: "paid" });
    expect(await thrownBy(submit(third, "succeed", { ip: "::ffff:203.0.113.7" }))).toMatchObject({
      code: "rate_limit_exceeded",
    });
    shop.advance(60_000);
    expect(await submit(third, "succeed", { ip })).toMatchObject({ status: "paid" });
  });
});

test("the limit of payments is an option, and each store and mode counts by itself", async () => {
  const payments = { limit: 1, window_ms: 60_000 };
  const shop = await createShop(memoryStorage(), { limits: { checkout: null, payments } });
  const ip = "203.0.113.7";
  const submit = async (made: Answer, method_id: string) =>
    shop.storefront.checkout.submit(shop.tokenOf(made), {
      payment_method_id: method_id,
      input: { outcome: "succeed" },
      ip,
    });
  expect(await submit(await shop.session(), shop.a.method_id)).toMatchObject({ status: "paid" });
  const again = submit(await shop.session(), shop.a.method_id);
  expect(await thrownBy(again)).toMatchObject({ code: "rate_limit_exceeded" });

  const url = "https://shop.example-b.com/ok";
  const items = [{ product_id: shop.foreign.id, quantity: 1 }];
  const body = { items, success_url: url, cancel_url: url };
  const other = await shop.session(body, { key: shop.b.test.pub });
  expect(await submit(other, shop.b.method_id)).toMatchObject({ status: "paid" });

  const free = await createShop(memoryStorage(), { limits: { checkout: null, payments: null } });
  for (let times = 0; times < 40; times += 1) {
    const token = free.tokenOf(await free.session());
    const input = { payment_method_id: free.a.method_id, input: { outcome: "succeed" }, ip };
    expect(await free.storefront.checkout.submit(token, input)).toMatchObject({ status: "paid" });
  }
});

test("after ten failures the host's own catalog is not asked for pieces", async () => {
  let book: StockBook = { free: 5, kept: {}, sold: {} };
  let reserved = 0;
  const catalog: CatalogSource = hostCatalog({
    read: () => book,
    write: (next) => {
      book = next;
    },
    at: (moment) => {
      if (moment === "before reserve") reserved += 1;
    },
  });
  const shop = await createShop(memoryStorage(), { limits: { checkout: null }, catalog });
  const made = await shop.session({ items: [{ product_id: "42", quantity: 1 }] });
  const submit = async () =>
    shop.storefront.checkout.submit(shop.tokenOf(made), {
      payment_method_id: shop.a.method_id,
      input: { outcome: "decline" },
    });
  for (let times = 0; times < 10; times += 1) await submit();
  expect(reserved).toBe(10);
  expect(await thrownBy(submit())).toMatchObject({ code: "too_many_attempts" });
  expect([reserved, book]).toEqual([10, { free: 5, kept: {}, sold: {} }]);
});
