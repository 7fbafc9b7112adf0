import { expect, test } from "vitest";
import { customerBrowser } from "../support/customer-visit.ts";
import { createDashboardShop, formOf } from "../support/dashboard-shop.ts";

const baseUrl = "https://pay.example.com/account";

test("a link to the buyer's page is made from the order, and opens that order alone", async () => {
  const shop = await createDashboardShop({ storefront: { customerPage: { baseUrl } } });
  const customer = { id: "u_ana", email: "ana@example.com" };
  const [order, other] = [
    await shop.buy({}, {}, { customer }),
    await shop.buy({}, {}, { customer }),
  ];
  const address = `/dashboard/${shop.a.id}/test/orders/${order.id}`;
  const refunder = shop.visitor({ actor: "bia", stores: "all", access: ["orders.refund"] });
  const without = await refunder.send(address);
  expect(() => formOf(without, "buyer_link")).toThrow();

  const made = await shop.visitor().submit(address, "buyer_link");
  expect([made.status, made.headers["cache-control"]]).toEqual([200, "no-store"]);
  const [, url = ""] = /id="buyer-link" readonly value="([^"]+)"/.exec(made.body ?? "") ?? [];
  const buyer = customerBrowser(shop.storefront, baseUrl);
  expect((await buyer.post(url, {})).status).toBe(303);
  expect((await buyer.get(`/orders/${order.id}`)).status).toBe(200);
  expect((await buyer.get(`/orders/${other.id}`)).status).toBe(404);

  const { body } = await shop.visitor().send(`/dashboard/${shop.a.id}/test/audit`);
  expect(body?.replace(/<[^>]+>/g, "")).toContain("ana made a link to the purchases");
});

test("an order that nobody paid has no link, and without a page for buyers none is made", async () => {
  const shop = await createDashboardShop();
  const order = await shop.buy();
  const address = `/dashboard/${shop.a.id}/test/orders/${order.id}`;
  const refused = await shop.visitor().submit(address, "buyer_link");
  expect([refused.status, refused.body?.includes("by the option customerPage")]).toEqual([
    409,
    true,
  ]);

  const failed = await shop.buy({}, {}, { input: { outcome: "decline" } });
  const unpaid = await shop.visitor().send(address.replace(order.id, failed.id));
  expect(unpaid.status).toBe(200);
  expect(() => formOf(unpaid, "buyer_link")).toThrow();
});
