import { expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { createShop } from "../support/shop.ts";

test("the slowest pattern on the longest inputs blocks no store for seconds", async () => {
  const shop = await createShop(memoryStorage());
  const note = {
    key: "note",
    label: "Note",
    type: "text" as const,
    pattern: "a{0,500}".repeat(10),
    max_length: 5_000,
  };
  const { id } = await shop.owner.products.create(shop.a.id, {
    name: "Engraving",
    price: 100,
    currency: "BRL",
    variables: [note],
  });
  const items = Array.from({ length: 12 }, () => ({
    product_id: id,
    quantity: 1,
    variables: { note: "a".repeat(5_000) },
  }));
  const begun = process.cpuUsage(); // and not the clock: other processes of the run are at work too
  expect((await shop.session({ items })).status).toBe(201);
  const { user, system } = process.cpuUsage(begun);
  expect((user + system) / 1_000).toBeLessThan(8_000);
});
