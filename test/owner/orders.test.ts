import { describe, expect, test } from "vitest";
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
    ]);

    const ana = await customers.retrieve({ ...where, customer_id: "ana" });
    const totals = [{ currency: order.currency, orders: 2, spent: 2 * order.amount_total }];
    expect(ana).toMatchObject({ id: "ana", email: "Ana@example.com", totals });
    expect(ana.orders.map(({ number }) => number)).toEqual([2, 1]);
    expect((await customers.list(where)).data).toEqual([
      { id: "ana", email: "Ana@example.com", name: null, totals },
    ]);
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
      [() => orders.list({ ...query, ...{ sort: "up" } }), "parameter_invalid sort"],
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
    ] as const;
    for (const [call, refusal] of refused) {
      const { code, param } = await refusalOf(call);
      expect(`${code} ${param}`).toBe(refusal);
    }
  });
});
