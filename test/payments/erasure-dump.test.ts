import { expect, test } from "vitest";
import { ana, openTracedShop, traces, useAs } from "../support/customer-traces.ts";
import { dumpedStorages } from "../support/dumped-storages.ts";

test.each(dumpedStorages)(
  "no table of %s has anything of an erased customer, but for the audit log their id",
  async (_name, open) => {
    const { storage, dump } = await open();
    const opened = await openTracedShop(storage);
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
    const { shop, once, begin } = await openTracedShop(storage);
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
