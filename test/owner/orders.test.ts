import { describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { createShop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";
import { refusalOf } from "./bench.ts";

describe.each(storages)("orders and customers of the owner on %s", (_name, open) => {
  test("an order is listed, retrieved, noted and told from its beginning", async () => {
    const shop = await createShop(await open());
    const { orders, customers } = shop.owner;
    const where = { store_id: shop.a.id, livemode: false };
    const buyer = { customer: { id: "ana", email: "Ana@example.com" } };
    const { id: order_id } = await shop.buy({}, {}, buyer);
    await shop.buy({}, {}, buyer);

    const page = await orders.list({ ...where, search: "ana@", limit: 1 });
    expect(page).toMatchObject({ has_more: true, data: [{ number: 2, ...where }] });
    const rest = await orders.list({ ...where, search: "ana@", starting_after: page.next_cursor });
    expect(rest).toMatchObject({ has_more: false, next_cursor: null, data: [{ id: order_id }] });
    const order = await orders.retrieve({ ...where, order_id });
    expect(order).toEqual(rest.data[0]);

    const note = await orders.addNote({ ...where, order_id, text: "Ana called." });
    expect(note.id).toMatch(/^note_/);
    expect((await orders.listNotes({ ...where, order_id })).data).toEqual([note]);
    const timeline = await orders.timeline({ ...where, order_id });
    expect(timeline.map(({ type }) => type)).toEqual([
      "order_created",
      "attempt",
      "payment",
      "order_paid",
      "note",
      "event",
      "event",
      "event",
    ]);

    const ana = await customers.retrieve({ ...where, customer_id: "ana" });
    const totals = [{ currency: order.currency, orders: 2, spent: 2 * order.amount_total }];
    expect(ana).toMatchObject({ id: "ana", email: "Ana@example.com", totals });
    expect(ana.orders.map(({ number }) => number)).toEqual([2, 1]);
    expect((await customers.list(where)).data).toEqual([
      { id: "ana", email: "Ana@example.com", name: null, totals },
    ]);
  });

  test("a customer is found by id, by e-mail and by what names an order", async () => {
    const shop = await createShop(await open());
    const { customers } = shop.owner;
    const where = { store_id: shop.a.id, livemode: false };
    const ana = { customer: { id: "ana", email: "ana@example.com" } };
    const { number } = await shop.buy({}, {}, ana);
    await shop.buy({}, {}, { customer: { id: "anabela", email: "ana.bela@example.com" } });
    await shop.buy({}, {}, ana);
    const eva = { id: "eva", email: "eva@example.com" };
    await shop.buy({}, {}, { customer: eva, input: { outcome: "decline" } });
    const found = async (search: string) => {
      const page = await customers.list({ ...where, search });
      expect(page).toMatchObject({ has_more: false, next_cursor: null });
      return page.data.map(({ id, totals }) => [id, totals[0]?.orders]);
    };

    expect(await found("ana")).toEqual([
      ["ana", 2],
      ["anabela", 1],
    ]);
    expect(await found("ANA@")).toEqual([["ana", 2]]);
    expect(await found(`#${number}`)).toEqual([["ana", 2]]);
    expect(await found("eva")).toEqual([["eva", undefined]]);
    expect(await found("nobody")).toEqual([]);
    const one = await customers.list({ ...where, search: "ana", limit: 1 });
    expect(one.data.map(({ id }) => id)).toEqual(["ana"]);
  });

  test("the timeline tells events and deliveries beside refunds and disputes", async () => {
    const shop = await createShop(await open());
    const { orders, disputes, events } = shop.owner;
    const where = { store_id: shop.a.id, livemode: false };
    const endpoint = { ...where, url: "https://hooks.example.com/in" };
    await shop.owner.endpoints.create({ ...endpoint, event_types: ["order.paid"] });
    const { id: order_id } = await shop.buy();
    await shop.buy();
    await shop.storefront.drainWebhooks();
    shop.advance(1_000);
    await shop.storefront.orders.refund(order_id, { ...where, reference: "back", amount: 100 });
    shop.advance(1_000);
    await shop.storefront.orders.openDispute(order_id, { ...where, reference: "claim" });

    const timeline = await orders.timeline({ ...where, order_id });
    expect(
      timeline.map((entry) => (entry.type === "event" ? entry.event.type : entry.type)),
    ).toEqual([
      "order_created",
      "attempt",
      "payment",
      "order_paid",
      "order.created",
      "order.paid",
      "delivery",
      "checkout.session.completed",
      "refund",
      "order.refunded",
      "dispute",
      "order.chargeback",
    ]);

    const told = (await events.list({ ...where, order_id })).data.toReversed();
    expect(timeline.filter(({ type }) => type === "event")).toEqual(
      told.map(({ id, type, sequence, created_at }) => ({
        type: "event",
        at: created_at,
        event: { id, type, sequence },
      })),
    );
    const paid = told.find(({ type }) => type === "order.paid");
    const event_id = paid?.id ?? "";
    const [delivery] = (await shop.owner.deliveries.list({ ...where, event_id })).data;
    expect(timeline).toContainEqual({ type: "delivery", at: paid?.created_at, delivery });
    expect(delivery).toMatchObject({ state: "delivered", attempts: 1 });
    const [dispute] = (await disputes.list(where)).data;
    expect(timeline).toContainEqual({ type: "dispute", at: dispute?.created_at, dispute });
  });

  test("wrong input is refused by the name of its parameter", async () => {
    const shop = await createShop(await open());
    const { orders, customers } = shop.owner;
    const where = { store_id: shop.a.id, livemode: false };
    const { id: order_id } = await shop.buy();
    const other = { ...where, livemode: true, order_id };
    const range = { created_from: 2_000, created_to: 1_000 };
    const query = where as object as { store_id: string; livemode: boolean };

    const refused = [
      [() => orders.list({ ...query, ...range }), "parameter_invalid created_to"],
      [() => orders.list({ ...query, search: " " }), "parameter_invalid search"],
      [() => orders.list({ ...query, ...({ sort: "up" } as object) }), "parameter_invalid sort"],
      [() => orders.list({ ...where, starting_after: "ord_x" }), "invalid_cursor starting_after"],
      [() => orders.list({ ...where, store_id: "str_x" }), "resource_not_found store_id"],
      [() => orders.retrieve(other), "resource_not_found order_id"],
      [() => orders.timeline(other), "resource_not_found order_id"],
      [() => orders.listNotes(other), "resource_not_found order_id"],
      [() => orders.addNote({ ...other, text: "n" }), "resource_not_found order_id"],
      [
        () => orders.addNote({ ...where, order_id, text: "n".repeat(5_001) }),
        "parameter_invalid text",
      ],
      [() => orders.addNote({ ...where, order_id, text: "a\0b" }), "parameter_invalid text"],
      [() => customers.retrieve({ ...where, customer_id: "x" }), "resource_not_found customer_id"],
      [() => customers.list({ ...where, limit: 0 }), "parameter_invalid limit"],
      [() => customers.list({ ...where, search: " " }), "parameter_invalid search"],
      [
        () => customers.list({ ...where, search: "ana", starting_after: "ana" }),
        "parameter_invalid starting_after",
      ],
      [
        () => customers.list({ ...where, store_id: "str_x", search: "ana" }),
        "resource_not_found store_id",
      ],
    ] as const;
    for (const [call, refusal] of refused) {
      const { code, param } = await refusalOf(call);
      expect(`${code} ${param}`).toBe(refusal);
    }
  });
});

test("the timeline has the newest 100 events", async () => {
  const shop = await createShop(memoryStorage());
  const where = { store_id: shop.a.id, livemode: false };
  const { id: order_id } = await shop.buy({ quantity: 2 });
  for (let count = 0; count < 101; count += 1) {
    const reference = `back_${count}`;
    await shop.storefront.orders.refund(order_id, { ...where, reference, amount: 1 });
  }

  const timeline = await shop.owner.orders.timeline({ ...where, order_id });
  const types = timeline.flatMap((entry) => (entry.type === "event" ? [entry.event.type] : []));
  expect(types).toEqual(Array.from({ length: 100 }, () => "order.refunded"));
});
