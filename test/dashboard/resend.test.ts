import { expect, test } from "vitest";
import { createDashboardShop, formOf } from "../support/dashboard-shop.ts";

test("what an endpoint has missed is sent again for a range of days, once the page was asked", async () => {
  const shop = await createDashboardShop();
  const { owner, a, storefront } = shop;
  const where = { store_id: a.id, livemode: false };
  const { id } = await owner.endpoints.create({ ...where, url: "https://hooks.example.com" });
  await shop.buy();
  await owner.endpoints.disable(where, id);
  const at = `/dashboard/${a.id}/test/webhooks/${id}/resend`;
  const visitor = shop.visitor();
  expect((await visitor.send(at)).body).toContain("This endpoint is off");

  await owner.endpoints.enable(where, id);
  const skipped = (await owner.deliveries.list({ ...where, state: "skipped" })).data.length;
  expect((await visitor.send(`${at}?from=2026-01-16`)).body).toContain("Nothing was given up");
  const page = await visitor.send(`${at}?from=2026-01-15&to=2026-01-15`);
  expect(page.body).toContain(`Send ${skipped} deliveries again?`);
  expect((await visitor.send(at, { form: formOf(page, "confirm") })).status).toBe(303);
  shop.posts.length = 0;
  await storefront.drainWebhooks();
  expect([shop.posts.length, skipped > 0]).toEqual([skipped, true]);
});
