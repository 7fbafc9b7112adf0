import { expect, test } from "vitest";
import { type Dumped, dumpedStorages } from "../support/dumped-storages.ts";
import { type CallOptions, createShop, returnUrl } from "../support/shop.ts";

/** What Ana, or the shop about her, can write anywhere. */
const traces = {
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
};

/** Ana as the host's own code knows her. */
const ana = {
  id: traces.id,
  email: traces.email,
  name: traces.name,
  discord_id: traces.discord,
  tax_id: "123.456.789-09",
};

async function openShop(storage: Dumped["storage"]) {
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
async function useAs(
  { shop, where, once, monthly, begin }: Awaited<ReturnType<typeof openShop>>,
  submit: (token: string, more?: object) => Promise<{ readonly order: { readonly id: string } }>,
): Promise<void> {
  const { orders, checkout } = shop.storefront;
  const { order } = await submit((await begin(once)).token);
  const moved = "by_host" as const;
  const refund = { ...where, reference: "rf-1", amount: 100, reason: traces.reason, moved };
  await orders.refund(order.id, refund);
  await orders.openDispute(order.id, { ...where, reference: "dp-1", reason: traces.dispute });
  await shop.owner.orders.addNote({ ...where, order_id: order.id, text: traces.note });

  const { id, amount_total } = await begin(monthly, { customer: undefined });
  const paid = { ...where, reference: "host-1", status: "paid", currency: "BRL" } as const;
  await checkout.complete(id, { ...paid, amount: amount_total, customer: ana });
  await submit((await begin(once)).token, { input: { outcome: "fail" } });
  await submit((await begin(once)).token, { input: { outcome: "pending" } });

  // A hold counts a use of the coupon for the token's customer.
  const until = new Date(shop.now() + 600_000).toISOString();
  await checkout.hold((await begin(once)).id, { ...where, until });
}

test.each(dumpedStorages)(
  "no table of %s has anything of an erased customer, but for the audit log their id",
  async (_name, open) => {
    const { storage, dump } = await open();
    const opened = await openShop(storage);
    const { shop } = opened;
    const by = { payment_method_id: shop.a.method_id, customer: ana };
    await useAs(opened, (token, more) =>
      shop.storefront.checkout.submit(token, { ...by, ...more }),
    );
    await shop.storefront.drainWebhooks();

    const before = [...(await dump()).values()].join("\n");
    for (const trace of Object.values(traces)) expect(before).toContain(trace);
    expect(await shop.storefront.as("staff").owner.eraseCustomer(shop.a.id, ana.id)).toBe(true);

    const tables = await dump();
    const places = Object.values(traces).map((trace) => [
      trace,
      [...tables].filter(([, rows]) => rows.includes(trace)).map(([table]) => table),
    ]);
    const none = Object.fromEntries(Object.values(traces).map((trace) => [trace, []]));
    expect(Object.fromEntries(places)).toEqual({ ...none, [traces.id]: ["audit_log"] });
  },
);

test.each(dumpedStorages)(
  "a use of a coupon that was given back leaves no e-mail address in %s",
  async (_name, open) => {
    const { storage, dump } = await open();
    const { shop, once, begin } = await openShop(storage);
    const submit = (token: string, email: string, more: object = {}) =>
      shop.storefront.checkout.submit(token, {
        payment_method_id: shop.a.method_id,
        customer: { email },
        ...more,
      });

    // A guest whose payment failed tries again with another address.
    const beginAsGuest = () => begin(once, { customer: undefined }, {});
    const { token } = await beginAsGuest();
    await submit(token, traces.email, { input: { outcome: "fail" } });
    const email = "ana.two@example.com";
    const { order } = await submit(token, email);
    const refused = await beginAsGuest();
    await shop.owner.products.update(shop.a.id, once, { stock: 0 });
    await expect(submit(refused.token, "bia@example.com")).rejects.toMatchObject({
      code: "insufficient_stock",
    });

    const keysOf = async () => (await dump()).get("coupon_uses") ?? "";
    expect(await keysOf()).toContain(`email:${email}`);
    expect(await keysOf()).not.toContain(traces.email);
    expect(await keysOf()).not.toContain("bia@example.com");
    expect(await shop.owner.eraseCustomer(shop.a.id, order.customer.id)).toBe(true);
    expect(await keysOf()).toBe("[]");
  },
);
