import { expect } from "vitest";
import type { Storage } from "vitrine";
import { type CallOptions, createShop, returnUrl } from "./shop.ts";

/** What Ana, or the shop about her, can write anywhere. */
export const traces = {
  id: "u-ana-1",
  email: "ana.one@example.com",
  name: "Ana Souza",
  discord: "ana.discord",
  tax: "789-",
  nick: "ana.nick",
  metadata: "ana.metadata",
  query: "ana.query",
  reason: "ana.reason",
  dispute: "ana.dispute",
  note: "ana.note",
  snippet: "ana.snippet",
  consent: "ana.consent",
};

/** Ana as the host's own code knows her. */
export const ana = {
  id: traces.id,
  email: traces.email,
  name: traces.name,
  discord_id: traces.discord,
  tax_id: "123.456.789-09",
};

export async function openTracedShop(storage: Storage) {
  const shop = await createShop(storage, { limits: { checkout: null } });
  const where = { store_id: shop.a.id, livemode: false };
  shop.receiver.answer = () => ({ snippet: `thanks ${traces.snippet}` });
  await shop.owner.endpoints.create({ ...where, url: "https://hooks.example.com/x" });
  await shop.owner.coupons.create(shop.a.id, {
    code: "EACH",
    discount_type: "percentage",
    discount_amount: 10,
    max_uses_per_customer: 9,
  });

  const nick = { key: "nick", label: "Nick", required: true, type: "text" } as const;
  const made = { price: 1000, currency: "BRL", variables: [nick] };
  await shop.owner.paymentMethods.update(shop.a.id, shop.a.method_id, { supports_recurring: true });
  const once = await shop.owner.products.create(shop.a.id, { name: "Once", ...made, stock: 9 });
  const monthly = await shop.owner.products.create(shop.a.id, {
    name: "Monthly",
    ...made,
    recurring: { interval: "month", interval_count: 1 },
  });

  const { token } = await shop.storefront.customers.issueToken({
    ...where,
    customer_id: traces.id,
  });
  const headers = { "x-service-customer-token": token };
  const body = (product_id: string, more: object = {}) => ({
    items: [{ product_id, quantity: 1, variables: { nick: traces.nick } }],
    customer: { email: traces.email, discord_id: traces.discord },
    metadata: { about: traces.metadata },
    success_url: `${returnUrl}?about=${traces.query}`,
    cancel_url: `${returnUrl}?about=${traces.query}`,
    coupon_code: "EACH",
    ...more,
  });
  const begin = async (
    product_id: string,
    more: object = {},
    options: CallOptions = { headers },
  ) => {
    const answer = await shop.session(body(product_id, more), options);
    expect(answer.status).toBe(201);
    return { ...answer.body.data, token: shop.tokenOf(answer) } as {
      readonly id: string;
      readonly token: string;
      readonly amount_total: number;
    };
  };
  return { shop, where, once: once.id, monthly: monthly.id, begin };
}

/** Buys, fails, asks for money back and disputes, each in Ana's name. */
export async function useAs(
  { shop, where, once, monthly, begin }: Awaited<ReturnType<typeof openTracedShop>>,
  submit: (token: string, more?: object) => Promise<{ readonly order: { readonly id: string } }>,
): Promise<void> {
  const { orders, checkout } = shop.storefront;
  const { order } = await submit((await begin(once)).token);
  const moved = "by_host" as const;
  const refund = { ...where, reference: "rf-1", amount: 100, reason: traces.reason, moved };
  await orders.refund(order.id, refund);
  await orders.openDispute(order.id, { ...where, reference: "dp-1", reason: traces.dispute });
  await shop.owner.orders.addNote({ ...where, order_id: order.id, text: traces.note });

  const consent = `I, ${traces.consent}, agree.`;
  await submit((await begin(monthly)).token, { consent, input: { outcome: "pending" } });

  const { id, amount_total } = await begin(monthly, { customer: undefined });
  const paid = { ...where, reference: "host-1", status: "paid", currency: "BRL" } as const;
  await checkout.complete(id, { ...paid, amount: amount_total, customer: ana });
  await submit((await begin(once)).token, { input: { outcome: "fail" } });
  await submit((await begin(once)).token, { input: { outcome: "pending" } });

  // A hold counts a use of the coupon for the token's customer.
  const until = new Date(shop.now() + 600_000).toISOString();
  await checkout.hold((await begin(once)).id, { ...where, until });
}
