import { expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { createShop } from "../support/shop.ts";

/** A shop whose product asks for a text of this pattern. */
async function openShop(pattern: string, max_length: number) {
  const shop = await createShop(memoryStorage());
  const create = () =>
    shop.owner.products.create(shop.a.id, {
      name: "Engraving",
      price: 100,
      currency: "BRL",
      variables: [{ key: "note", label: "Note", type: "text", pattern, max_length }],
    });
  const order = async (product_id: string, notes: readonly string[]) =>
    shop.session({
      items: notes.map((note) => ({ product_id, quantity: 1, variables: { note } })),
    });
  return { create, order };
}

test("patterns of one request take so much work and no more, and the line beyond it is named", async () => {
  const { create, order } = await openShop("a{0,450}".repeat(10), 5_000);
  const { id } = await create();
  const longest = "a".repeat(4_500);
  expect((await order(id, [longest])).status).toBe(201);

  const begun = process.cpuUsage(); // and not the clock: other processes of the run are at work too
  const refused = await order(id, Array(12).fill(longest));
  const { user, system } = process.cpuUsage(begun);
  expect(refused).toMatchObject({
    status: 400,
    body: { error: { code: "parameter_invalid", param: "items[1].variables.note" } },
  });
  expect(refused.body.error.message).toContain("too much to check in one request");
  expect((user + system) / 1_000).toBeLessThan(2_000);
});

test("98 lines with a pattern as shops have it are taken", async () => {
  const { create, order } = await openShop("[A-Za-z' -]{1,50}", 50);
  const { id } = await create();
  expect((await order(id, Array(98).fill("Ana-Maria d'Avila Souza Lima Pereira"))).status).toBe(
    201,
  );
});

test("a pattern that takes too long for the longest text is refused when the product is stored", async () => {
  const { create } = await openShop("a{0,500}".repeat(9), 10_000);
  await expect(create()).rejects.toMatchObject({
    code: "parameter_invalid",
    param: "variables[0].pattern",
  });
});

test("max_length counts whole characters, as every other length of the API does", async () => {
  const { create, order } = await openShop(".*", 5);
  const { id } = await create();
  expect((await order(id, ["😀".repeat(5)])).status).toBe(201);
  expect((await order(id, ["😀".repeat(6)])).status).toBe(400);
});
