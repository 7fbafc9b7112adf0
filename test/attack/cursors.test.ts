import { beforeEach, describe, expect, test } from "vitest";
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
});
