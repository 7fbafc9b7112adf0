import { expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { createShop } from "../support/shop.ts";

// A storage recovers at most 500 deliveries in one step. What asks it for the next step stands
// above every storage, so that memory is enough.
test("an endpoint recovers all of the deliveries that it missed, more than one step of the storage", async () => {
  const shop = await createShop(memoryStorage(), { limits: { checkout: null } });
  const where = { store_id: shop.a.id, livemode: false };
  const url = "https://a.example-hooks.com/in";
  const { id } = await shop.owner.endpoints.create({ ...where, url, event_types: "*" });
  await shop.owner.endpoints.disable(where, id);
  for (let time = 0; time < 168; time++) await shop.buy();

  await shop.owner.endpoints.enable(where, id);
  const recovered = await shop.owner.endpoints.recover(where, id, { since: 0 });
  expect(recovered).toEqual({ recovered: 504 });
});
