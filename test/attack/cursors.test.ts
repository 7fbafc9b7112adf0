import { beforeEach, describe, expect, test } from "vitest";
import { crc32 } from "../../src/domain/keys/crc32.ts";
import { base64url, fromBase64url } from "../../src/domain/keys/hash.ts";
import { createShop, faultOf, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

describe.each(storages)("a cursor that none of our answers gave, on %s,", (_name, open) => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await createShop(await open());
  });
  const wrong = ["", "x", "x".repeat(256), "x".repeat(2_049), "x".repeat(12_000), "%00", "a%00b"];

  test.each(["/products", "/orders", "/events", "/customers/me/orders"])(
    "is invalid_cursor on %s, over-long, empty and with NUL too",
    async (path) => {
      const { token } = await shop.storefront.customers.issueToken({
        store_id: shop.a.id,
        livemode: false,
        customer_id: "u1",
      });
      const headers = { "x-service-customer-token": token };
      for (const cursor of wrong) {
        const answer = await shop.get(`${path}?starting_after=${cursor}`, {
          key: shop.a.test.sec,
          headers,
        });
        expect(faultOf(answer), cursor.slice(0, 20)).toEqual([
          400,
          "invalid_cursor",
          "starting_after",
        ]);
      }
    },
  );

  const encoded = (text: string): string => base64url(new TextEncoder().encode(text));

  test("is invalid_cursor where only its id was changed, with a new checksum", async () => {
    const { id, test: keys } = shop.a;
    await shop.owner.products.create(id, { name: "B", slug: "b", price: 200, currency: "BRL" });
    const first = await shop.get("/products?limit=1", { key: keys.pub });
    const cursor = String((first.body as { next_cursor: unknown }).next_cursor);
    const text = new TextDecoder().decode(fromBase64url(cursor) ?? undefined);
    const [position, , filters] = JSON.parse(text.slice(text.indexOf(":") + 1));

    for (const wrong of ["\0", "prod_\0"]) {
      const changed = JSON.stringify([position, wrong, filters]);
      const sent = encoded(`${crc32(changed)}:${changed}`);
      const answer = await shop.get(`/products?limit=1&starting_after=${sent}`, { key: keys.pub });
      expect(faultOf(answer)).toEqual([400, "invalid_cursor", "starting_after"]);
    }
    expect(shop.errors).toEqual([]);
  });

  test("is invalid_cursor for deliveries, wherever it holds NUL", async () => {
    for (const place of [
      [1, "\0", "we_1"],
      [1, "evt_1", "we_\0"],
    ]) {
      const query = { store_id: shop.a.id, livemode: false };
      const starting_after = encoded(JSON.stringify(place));
      await expect(shop.owner.deliveries.list({ ...query, starting_after })).rejects.toMatchObject({
        code: "invalid_cursor",
      });
    }
  });
});
