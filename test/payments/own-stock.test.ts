import { beforeEach, describe, expect, test } from "vitest";
import type { CatalogSource } from "vitrine";
import { ownArticle } from "../support/own-article.ts";
import { createShop, type Shop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const article = ownArticle("42");

describe.each(storages)("stock that the host counts itself, on %s", (_name, open) => {
  let shop: Shop;
  /** Pieces on hand, and those that are reserved or sold, by order. */
  let free: number;
  let kept: Map<string, number>;
  let sold: Map<string, number>;
  let down: boolean;
  let withdrawn: boolean;
  beforeEach(async () => {
    [free, kept, sold, down, withdrawn] = [5, new Map(), new Map(), false, false];
    const answered = async <T>(work: () => T): Promise<T> => {
      if (down) throw new Error("The host's database is down.");
      return work();
    };
    const pieces = (lines: readonly { quantity: number }[]): number =>
      lines.reduce((sum, { quantity }) => sum + quantity, 0);
    const catalog: CatalogSource = {
      list: async () => ({ products: [article], next: null }),
      find: async () => article,
      categories: async () => [],
      cart: async () => (withdrawn ? [] : [{ product: article, on_hand: free }]),
      reserve: ({ order_id, lines }) =>
        answered(() => {
          if (kept.has(order_id) || sold.has(order_id)) return true;
          if (free < pieces(lines)) return false;
          free -= pieces(lines);
          kept.set(order_id, pieces(lines));
          return true;
        }),
      confirm: ({ order_id, lines }) =>
        answered(() => {
          if (sold.has(order_id)) return;
          if (!kept.delete(order_id)) free -= pieces(lines);
          sold.set(order_id, pieces(lines));
        }),
      release: ({ order_id }) =>
        answered(() => {
          free += kept.get(order_id) ?? 0;
          kept.delete(order_id);
        }),
    };
    shop = await createShop(await open(), { limits: { checkout: null }, catalog });
  });
  const session = (quantity = 2) => shop.session({ items: [{ product_id: "42", quantity }] });
  const submit = async (made: Awaited<ReturnType<Shop["session"]>>, outcome = "succeed") =>
    shop.storefront.checkout.submit(shop.tokenOf(made), {
      payment_method_id: shop.a.method_id,
      input: { outcome },
    });
  const ledger = () => ({ free, kept: [...kept.values()], sold: [...sold.values()] });

  test("a submission reserves pieces, a payment sells them, a decline gives them back; with none left it is insufficient_stock", async () => {
    await submit(await session());
    expect(ledger()).toEqual({ free: 3, kept: [], sold: [2] });
    const made = await session();
    await submit(made, "decline");
    expect(ledger()).toEqual({ free: 3, kept: [], sold: [2] });
    free = 1;
    expect(await thrownBy(submit(made))).toMatchObject({ code: "insufficient_stock" });
    free = 3;
    await submit(made, "pending_then_succeed");
    expect(ledger()).toEqual({ free: 1, kept: [2], sold: [2] });
  });

  test("twenty submissions of one session reserve its pieces once", async () => {
    const made = await session();
    const results = await Promise.all(
      Array.from({ length: 20 }, () => submit(made, "pending_then_succeed")),
    );
    expect(new Set(results.map(({ order }) => order.id)).size).toBe(1);
    expect([...kept.keys()]).toEqual([results[0]?.order.id]);
    expect(ledger()).toEqual({ free: 3, kept: [2], sold: [] });
    await shop.storefront.checkout.resume(shop.tokenOf(made));
    expect(ledger()).toEqual({ free: 3, kept: [], sold: [2] });
  });

  test("maintenance tells a host that was down how the order ended, and gives back what nobody paid", async () => {
    const made = await session();
    await submit(made, "pending_then_succeed");
    down = true;
    expect(await shop.storefront.checkout.resume(shop.tokenOf(made))).toMatchObject({
      status: "paid",
    });
    down = false;
    shop.advance(60_000);
    expect(await shop.storefront.runMaintenance()).toMatchObject({ reservations_settled: 1 });
    expect(ledger()).toEqual({ free: 3, kept: [], sold: [2] });
    await submit(await session(1), "pending_then_fail");
    shop.advance(31 * 60_000);
    await shop.storefront.runMaintenance();
    await shop.storefront.runMaintenance();
    expect(ledger()).toEqual({ free: 3, kept: [], sold: [2] });
  });

  test("a payment that the host took sells pieces without a reservation", async () => {
    const made = await session();
    const payment = {
      store_id: shop.a.id,
      livemode: false,
      reference: "r1",
      status: "paid",
      amount: 2000,
      currency: "BRL",
    } as const;
    await shop.storefront.checkout.complete(made.body.data.id, payment);
    expect(ledger()).toEqual({ free: 3, kept: [], sold: [2] });
  });

  test("a submission is refused for an article that is withdrawn, and the session stays open", async () => {
    const made = await session();
    withdrawn = true;
    expect(await thrownBy(submit(made))).toMatchObject({ code: "product_unavailable" });
    expect(ledger()).toEqual({ free: 5, kept: [], sold: [] });

    withdrawn = false;
    expect(await submit(made)).toMatchObject({ status: "paid" });
  });

  test("a payment that the host took for more pieces than there are raises `oversold`", async () => {
    const made = await session(4);
    const other = await session(4);
    for (const { body } of [made, other])
      await shop.storefront.checkout.complete(body.data.id, {
        store_id: shop.a.id,
        livemode: false,
        reference: `r_${body.data.id}`,
        status: "paid",
        amount: 4000,
        currency: "BRL",
      });
    expect(ledger()).toEqual({ free: -3, kept: [], sold: [4, 4] });
    const { data } = await shop.owner.alerts.list(shop.a.id);
    expect(data.map(({ type }) => type)).toEqual(["oversold"]);
  });
});
