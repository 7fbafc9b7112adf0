import { beforeEach, describe, expect, test } from "vitest";
import type { Order } from "vitrine";
import type { Owner } from "../../src/owner/owner.ts";
import { createShop, type Shop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const second = 1_000;
const day = 24 * 3_600_000;

/** The lists of one shape. */
const names = ["sessions", "payments", "refunds", "disputes", "subscriptions", "events"] as const;

type ListQuery = Parameters<Owner[(typeof names)[number]]["list"]>[0];
interface AnyList {
  list(query: ListQuery): Promise<{
    readonly data: readonly object[];
    readonly has_more: boolean;
    readonly next_cursor: string | null;
  }>;
}

describe.each(storages)("the owner's lists on %s", (_name, open) => {
  let shop: Shop;
  let owner: Owner;
  let where: { store_id: string; livemode: boolean };
  let orders: readonly Order[];
  beforeEach(async () => {
    shop = await createShop(await open());
    owner = shop.owner;
    where = { store_id: shop.a.id, livemode: false };
    orders = await sell(3);
  });

  const listOf = (name: (typeof names)[number]): AnyList => owner[name];

  /** Sells one piece a second. Each order is refunded in part, and then disputed. */
  async function sell(count: number): Promise<readonly Order[]> {
    const sold: Order[] = [];
    for (let index = 0; index < count; index += 1) {
      shop.advance(second);
      const order = await shop.buy({ coupon_code: "SAVE10" });
      const told = { ...where, reference: `r_${index}` };
      await shop.storefront.orders.refund(order.id, { ...told, amount: 100 });
      await shop.storefront.orders.openDispute(order.id, told);
      sold.push(order);
    }
    return sold;
  }

  /** Reads all pages of one row. */
  async function walk(
    name: (typeof names)[number],
    filters: object = {},
  ): Promise<readonly object[]> {
    const rows: object[] = [];
    let starting_after: string | null = null;
    do {
      const query = { ...where, ...filters, limit: 1, starting_after };
      const page = await listOf(name).list(query);
      rows.push(...page.data);
      starting_after = page.next_cursor;
      expect(page.has_more).toBe(starting_after !== null);
    } while (starting_after !== null);
    return rows;
  }

  test("pages of one row are the whole list, the newest first", async () => {
    for (const name of names) {
      const { data, next_cursor } = await listOf(name).list({ ...where, limit: 100 });
      expect(next_cursor, name).toBeNull();
      expect(await walk(name), name).toEqual(data);
    }
    const payments = await owner.payments.list(where);
    expect(payments.data.map(({ order_id }) => order_id)).toEqual(
      orders.map(({ id }) => id).reverse(),
    );
  });

  test("the oldest come first with sort, and last what came while the pages were read", async () => {
    for (const name of names) {
      const { data } = await listOf(name).list({ ...where, limit: 100 });
      expect(await walk(name, { sort: "oldest" }), name).toEqual(data.toReversed());
    }
    const query = { ...where, limit: 1, sort: "oldest" } as const;
    const begun = await Promise.all(names.map((name) => listOf(name).list(query)));
    const [latest] = await sell(1);
    for (const [at, { data, next_cursor }] of begun.entries()) {
      const name = names[at] ?? "events";
      if (next_cursor === null) continue;
      const rest = { ...query, limit: 100, starting_after: next_cursor };
      const later = await listOf(name).list(rest);
      const newest = await listOf(name).list({ ...where, limit: 100 });
      expect([...data, ...later.data], name).toEqual(newest.data.toReversed());
    }
    const { data } = await owner.payments.list({ ...where, sort: "oldest" });
    expect(data.at(-1)?.order_id).toBe(latest?.id);
  });

  test("deliveries, alerts, the audit log and the uses of a coupon begin with the oldest too", async () => {
    const endpoint = {
      ...where,
      url: "https://a.example.com/",
      event_types: ["order.paid" as const],
    };
    await owner.endpoints.create(endpoint);
    await sell(3);
    const [coupon] = (await owner.coupons.list(shop.a.id)).data;
    for (const index of [0, 1, 2]) {
      const alert = { ...where, id: `alr_${index}`, type: "t", subject: `s_${index}`, data: {} };
      await shop.storage.access.raiseAlert({ ...alert, created_at: index }, 0);
      await shop.storefront.as("ana").owner.stores.update(shop.a.id, { name: `N${index}` });
    }
    const page = { limit: 2 } as const;
    const lists = {
      deliveries: (more: object) => owner.deliveries.list({ ...where, ...more }),
      alerts: (more: object) => owner.alerts.list(shop.a.id, more),
      audit: (more: object) => owner.audit.list({ store_id: shop.a.id, ...more }),
      uses: (more: object) =>
        owner.coupons.uses({ ...where, coupon_id: coupon?.id ?? "", ...more }),
    };
    for (const [name, list] of Object.entries(lists)) {
      const first = await list({ ...page, sort: "oldest" });
      const rest = await list({ limit: 100, sort: "oldest", starting_after: first.next_cursor });
      const newest: readonly object[] = (await list({ limit: 100 })).data;
      expect(newest.length, name).toBeGreaterThan(2);
      expect([...first.data, ...rest.data], name).toEqual(newest.toReversed());
    }
  });

  test("a cursor of another order is refused, and the usual order may be named or not", async () => {
    const refused = { code: "invalid_cursor", details: { param: "starting_after" } };
    const { next_cursor } = await owner.payments.list({ ...where, limit: 1, sort: "newest" });
    const starting_after = next_cursor;
    expect((await owner.payments.list({ ...where, starting_after })).data).toHaveLength(2);
    expect(
      await thrownBy(owner.payments.list({ ...where, starting_after, sort: "oldest" })),
    ).toMatchObject(refused);
    const due = { ...where, renews_before: 1, sort: "oldest" as const };
    expect(await thrownBy(owner.subscriptions.list(due))).toMatchObject({
      code: "parameter_invalid",
      details: { param: "sort" },
    });
  });

  test("open disputes are listed by the time for an answer, the untold last", async () => {
    const told = await sell(4);
    const due = [3, 1, null, 1].map((days) =>
      days === null ? null : new Date(shop.now() + days * day).toISOString(),
    );
    for (const [index, order] of told.entries()) {
      const dispute = { ...where, reference: "due", due_by: due[index] ?? null };
      await shop.storefront.orders.openDispute(order.id, dispute);
    }
    const open = { ...where, status: "open", limit: 2 } as const;
    const walkBy = async (sort: "due_by" | "-due_by"): Promise<readonly (string | null)[]> => {
      const times: (string | null)[] = [];
      const seen = new Set<string>();
      let starting_after: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof owner.disputes.list>> = await owner.disputes.list({
          ...open,
          sort,
          starting_after,
        });
        for (const { order_id, reference, due_by } of page.data) {
          times.push(due_by);
          seen.add(`${order_id} ${reference}`);
        }
        starting_after = page.next_cursor;
      } while (starting_after !== null);
      expect(seen.size).toBe(times.length);
      return times;
    };
    const times = due.flatMap((time) => time ?? []).sort();
    const nulls = Array.from({ length: 8 }, () => null);
    expect(await walkBy("due_by")).toEqual([...times, ...nulls]);
    expect(await walkBy("-due_by")).toEqual([...times.toReversed(), ...nulls]);
    for (const status of [undefined, "lost"] as const)
      expect(
        await thrownBy(owner.disputes.list({ ...where, status, sort: "due_by" })),
      ).toMatchObject({ code: "parameter_invalid", details: { param: "sort" } });
  });

  test("coupons are listed by age or code, and customers by id, from either end", async () => {
    const percent = { discount_type: "percentage", discount_amount: 1 } as const;
    for (const code of ["B", "C", "A"]) {
      shop.advance(second);
      await owner.coupons.create(shop.a.id, { ...percent, code });
    }
    const codes = async (sort: "oldest" | "newest" | "code" | "-code") => {
      const first = await owner.coupons.list(shop.a.id, { sort, limit: 2 });
      const starting_after = first.next_cursor;
      // A coupon whose code changes moves no other one.
      const rest = await owner.coupons.list(shop.a.id, { sort, starting_after });
      return [...first.data, ...rest.data].map(({ code }) => code);
    };
    const oldest = (await owner.coupons.list(shop.a.id)).data.map(({ code }) => code);
    expect(oldest.slice(-3)).toEqual(["B", "C", "A"]);
    expect(await codes("oldest")).toEqual(oldest);
    expect(await codes("newest")).toEqual(oldest.toReversed());
    expect(await codes("code")).toEqual(oldest.toSorted());
    expect(await codes("-code")).toEqual(oldest.toSorted().toReversed());

    const ids = async (sort: "id" | "-id") =>
      (await owner.customers.list({ ...where, sort })).data.map(({ id }) => id);
    expect(await ids("-id")).toEqual((await ids("id")).toReversed());
    expect(
      await thrownBy(owner.customers.list({ ...where, sort: "-id", search: "a" })),
    ).toMatchObject({ code: "parameter_invalid", details: { param: "sort" } });
  });

  test("another mode and another store see nothing, and an unknown store is an error", async () => {
    for (const name of names) {
      for (const other of [{ livemode: true }, { store_id: shop.b.id }])
        expect((await listOf(name).list({ ...where, ...other })).data, name).toEqual([]);
      expect(await thrownBy(listOf(name).list({ ...where, store_id: "str_none" }))).toMatchObject({
        code: "resource_not_found",
        details: { param: "store_id" },
      });
    }
  });

  test("a wrong field is refused by its name", async () => {
    const wrong = [
      [{ store_id: undefined }, "parameter_missing", "store_id"],
      [{ livemode: "yes" }, "parameter_invalid", "livemode"],
      [{ limit: 101 }, "parameter_invalid", "limit"],
      [{ limit: 0 }, "parameter_invalid", "limit"],
      [{ starting_after: "" }, "invalid_cursor", "starting_after"],
      [{ starting_after: "a\u0000b" }, "invalid_cursor", "starting_after"],
      [{ starting_after: "rf_none" }, "invalid_cursor", "starting_after"],
      [{ starting_after: "x".repeat(5_000) }, "invalid_cursor", "starting_after"],
      [{ stauts: "open" }, "parameter_invalid", "stauts"],
      [{ sort: "up" }, "parameter_invalid", "sort"],
    ] as const;
    for (const name of names) {
      for (const [fields, code, param] of wrong) {
        const query = { ...where, ...fields } as ListQuery;
        expect(await thrownBy(listOf(name).list(query)), `${name} ${param}`).toMatchObject({
          code,
          details: { param },
        });
      }
    }
  });

  test("a cursor of other filters, another list or another mode is refused", async () => {
    const { next_cursor } = await owner.payments.list({ ...where, limit: 1 });
    const refused = { code: "invalid_cursor", details: { param: "starting_after" } };
    for (const query of [
      { ...where, starting_after: next_cursor, status: "succeeded" as const },
      { ...where, starting_after: next_cursor, livemode: true },
    ])
      expect(await thrownBy(owner.payments.list(query))).toMatchObject(refused);
    expect(
      await thrownBy(owner.sessions.list({ ...where, starting_after: next_cursor })),
    ).toMatchObject(refused);

    const refunds = await owner.refunds.list({ ...where, limit: 1 });
    const live = { ...where, livemode: true, starting_after: refunds.next_cursor };
    expect(await thrownBy(owner.refunds.list(live))).toMatchObject(refused);
  });

  test("payments, refunds and disputes tell their money", async () => {
    const [order] = orders;
    const { data } = await owner.payments.list({ ...where, order_id: order?.id });
    expect(data).toMatchObject([
      {
        status: "succeeded",
        gateway: "sandbox",
        amount: 900,
        currency: "BRL",
        money: [{ status: "booked", amount: 900, amount_returned: 0 }],
      },
    ]);
    const refunds = await owner.refunds.list({ ...where, status: "succeeded" });
    expect(refunds.data).toHaveLength(3);
    expect((await owner.refunds.list({ ...where, status: "failed" })).data).toEqual([]);

    const disputes = await owner.disputes.list({ ...where, status: "open", limit: 1 });
    expect(disputes.data).toMatchObject([
      { reference: "r_2", order_number: 3, amount: 900, currency: "BRL", told_by: "host" },
    ]);
  });

  test("the longest reference of a dispute fits into a cursor", async () => {
    shop.advance(second);
    const [order] = orders;
    const reference = "\u0001\u{1F600}".repeat(85);
    await shop.storefront.orders.openDispute(order?.id ?? "", { ...where, reference });
    const first = await owner.disputes.list({ ...where, limit: 1 });
    expect(first.data).toMatchObject([{ reference }]);
    const rest = await owner.disputes.list({ ...where, starting_after: first.next_cursor });
    expect(rest.data).toHaveLength(3);
  });

  test("a span of time is from its first moment up to its last one, which is left out", async () => {
    const [, middle] = orders;
    const created_from = middle?.created_at;
    const created_to = new Date(Date.parse(created_from ?? "") + second);
    for (const list of [owner.payments, owner.sessions]) {
      expect((await list.list({ ...where, created_from, created_to })).data).toHaveLength(1);
      expect((await list.list({ ...where, created_from })).data).toHaveLength(2);
    }
    const reversed = { ...where, created_from: created_to, created_to: created_from };
    expect(await thrownBy(owner.events.list(reversed))).toMatchObject({
      code: "parameter_invalid",
      details: { param: "created_to" },
    });
  });

  test("sessions never show the address at which they are paid", async () => {
    await shop.session();
    const { data } = await owner.sessions.list({ ...where, status: "open" });
    expect(data).toHaveLength(1);
    expect(data[0]).not.toHaveProperty("checkout_url");
    const complete = await owner.sessions.list({ ...where, status: "complete" });
    expect(complete.data.map((session) => session.order?.number)).toEqual([3, 2, 1]);

    shop.advance(day);
    const expired = await owner.sessions.list({ ...where, status: "expired" });
    expect(expired.data.map(({ id }) => id)).toEqual([data[0]?.id]);
    expect((await owner.sessions.list({ ...where, status: "open" })).data).toEqual([]);
  });

  test("an event is found by its order and by its id, with its payload", async () => {
    const [order] = orders;
    const { data } = await owner.events.list({ ...where, order_id: order?.id, type: "order.paid" });
    expect(data).toMatchObject([
      { type: "order.paid", payload: { data: { order: { number: 1 } } } },
    ]);

    const ref = { ...where, id: data[0]?.id ?? "" };
    expect(await owner.events.retrieve(ref)).toEqual(data[0]);
    for (const other of [{ livemode: true }, { store_id: shop.b.id }, { id: "evt_none" }])
      expect(await thrownBy(owner.events.retrieve({ ...ref, ...other }))).toMatchObject({
        code: "resource_not_found",
      });
  });

  test("the uses of a coupon are counted in each mode and listed with their orders", async () => {
    const [coupon] = (await owner.coupons.list(where.store_id)).data;
    expect(coupon?.used).toEqual({ live: 0, test: 3 });

    const query = { ...where, coupon_id: coupon?.id ?? "" };
    const first = await owner.coupons.uses({ ...query, limit: 2 });
    const rest = await owner.coupons.uses({ ...query, starting_after: first.next_cursor });
    expect([...first.data, ...rest.data]).toMatchObject(
      [...orders].reverse().map((order) => ({
        order_id: order.id,
        order_number: order.number,
        amount_discount: 100,
        customer: { id: order.customer.id },
        created_at: order.created_at,
      })),
    );
    expect((await owner.coupons.uses({ ...query, livemode: true })).data).toEqual([]);
  });

  test("an alert stays open until someone acknowledges it", async () => {
    await shop.storage.access.raiseAlert(
      {
        ...where,
        id: "alr_1",
        type: "oversold",
        subject: "ord_1",
        data: {},
        created_at: shop.now(),
      },
      0,
    );
    const unread = async () =>
      (await owner.alerts.list(where.store_id, { acknowledged: false })).data.length;
    expect(await unread()).toBe(1);

    const taken = await owner.alerts.acknowledge(where.store_id, "alr_1", { by: "Ana" });
    expect(taken).toMatchObject({
      acknowledged_by: "Ana",
      acknowledged_at: new Date(shop.now()).toISOString(),
    });
    shop.advance(second);
    const again = await owner.alerts.acknowledge(where.store_id, "alr_1", { by: "Rui" });
    expect([again, await unread()]).toEqual([taken, 0]);
    expect(await thrownBy(owner.alerts.acknowledge(shop.b.id, "alr_1", { by: "x" }))).toMatchObject(
      {
        code: "resource_not_found",
        details: { param: "id" },
      },
    );
    expect(
      await thrownBy(owner.alerts.acknowledge(where.store_id, "alr_1", { by: " " })),
    ).toMatchObject({ code: "parameter_invalid", details: { param: "by" } });
  });

  test("an endpoint tells its last success and the share of what it accepted", async () => {
    const url = "https://hooks.example-shop.com/in";
    const endpoint = await owner.endpoints.create({ ...where, url, event_types: ["order.paid"] });
    const health = () => owner.endpoints.health(where, endpoint.id);
    const none = { attempts: 0, accepted: 0, share: null };
    expect(await health()).toEqual({
      last_success_at: null,
      last_24_hours: none,
      last_7_days: none,
    });

    const order = await shop.buy();
    const accepted_at = new Date(shop.now()).toISOString();
    await shop.storefront.drainWebhooks();
    shop.advance(2 * day);
    shop.receiver.answer = () => ({ ok: false, status: 500, error: "http_status" });
    await shop.buy();
    await shop.storefront.drainWebhooks();
    expect(await health()).toEqual({
      last_success_at: accepted_at,
      last_24_hours: { attempts: 1, accepted: 0, share: 0 },
      last_7_days: { attempts: 2, accepted: 1, share: 0.5 },
    });
    expect(
      await thrownBy(owner.endpoints.health({ ...where, livemode: true }, endpoint.id)),
    ).toMatchObject({ code: "resource_not_found" });

    const events = await owner.events.list({ ...where, type: "order.paid", order_id: order.id });
    const event_id = events.data[0]?.id ?? "";
    const { data } = await owner.deliveries.list({ ...where, event_id });
    expect(data).toHaveLength(1);
    const ref = { ...where, endpoint_id: endpoint.id, event_id };
    expect(await owner.deliveries.retrieve(ref)).toEqual({
      ...data[0],
      payload: events.data[0]?.payload,
    });
    expect(await thrownBy(owner.deliveries.retrieve({ ...ref, livemode: true }))).toMatchObject({
      code: "resource_not_found",
    });
  });

  test("due subscriptions are listed by their day, and no other filter stands beside", async () => {
    const recurring = { interval: "month", interval_count: 1 } as const;
    const made = { name: "Club", price: 500, currency: "BRL", recurring };
    const product = await owner.products.create(where.store_id, made);
    const items = [{ product_id: product.id, quantity: 1 }];
    await owner.paymentMethods.update(where.store_id, shop.a.method_id, {
      supports_recurring: true,
    });
    for (let index = 0; index < 3; index += 1) {
      await shop.buy({ items });
      shop.advance(day);
    }

    const ends = (rows: readonly { readonly current_period_end: string }[]) =>
      rows.map(({ current_period_end }) => current_period_end);
    const newest = ends((await owner.subscriptions.list(where)).data);
    const renews_before = new Date(Date.parse(newest[0] ?? "") + 1);
    const first = await owner.subscriptions.list({ ...where, renews_before, limit: 2 });
    const rest = await owner.subscriptions.list({
      ...where,
      renews_before,
      starting_after: first.next_cursor,
    });
    expect(ends([...first.data, ...rest.data])).toEqual([...newest].reverse());

    const both = { ...where, renews_before, status: "active" as const };
    expect(await thrownBy(owner.subscriptions.list(both))).toMatchObject({
      code: "parameter_invalid",
      details: { param: "status" },
    });
  });

  test("products are found by text, state and category", async () => {
    const { id } = await owner.categories.create(where.store_id, { name: "C" });
    const draft = { name: "Açaí", price: 1, currency: "BRL", active: false, category_ids: [id] };
    const made = await owner.products.create(where.store_id, draft);
    for (const query of [{ search: "ACAI" }, { active: false }, { category_id: id }])
      expect((await owner.products.list(where.store_id, query)).data).toEqual([made]);
    expect((await owner.products.list(where.store_id)).data).toHaveLength(2);
    expect(await thrownBy(owner.products.list(where.store_id, { search: "" }))).toMatchObject({
      details: { param: "search" },
    });
  });
});
