import { beforeEach, describe, expect, test } from "vitest";
import type { Storage } from "vitrine";
import { sellMonthly } from "../support/monthly-plan.ts";
import { createShop, faultOf, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const day = 86_400_000;
const consent = "I agree that Store A charges 50.00 BRL every month until I cancel.";
const path = "/customers/me/subscriptions";

describe.each(storages)("a buyer's own subscriptions, on %s", (_name, open) => {
  let shop: Shop;
  let storage: Storage;
  let plan: string;
  beforeEach(async () => {
    storage = await open();
    shop = await createShop(storage, { limits: { checkout: null } });
    plan = await sellMonthly(shop);
  });

  const where = () => ({ store_id: shop.a.id, livemode: false });
  const tokenOf = async (customer_id: string, of = where()) =>
    (await shop.storefront.customers.issueToken({ ...of, customer_id })).token;
  const subscribe = async (customer_id: string): Promise<string> => {
    const order = await shop.buy(
      { items: [{ product_id: plan, quantity: 1 }], metadata: { note: "of the store" } },
      {},
      { customer: { id: customer_id, email: "ana@example.com" }, consent },
    );
    return order.subscription_id ?? "";
  };
  const as = (token: string | undefined, key = shop.a.test.pub) => ({
    key,
    headers: { "x-service-customer-token": token },
  });
  const list = async (customer_id: string, query = "") =>
    (await shop.get(`${path}${query}`, as(await tokenOf(customer_id)))).body;
  const ids = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
  const typesOf = async (): Promise<string[]> =>
    (await shop.get("/events?limit=100", { key: shop.a.test.sec })).body.data
      .map(({ type }: { type: string }) => type)
      .filter((type: string) => type.startsWith("subscription."));

  test("are listed newest first, page by page, and nobody else's are", async () => {
    const first = await subscribe("u_ana");
    shop.advance(1_000);
    const second = await subscribe("u_ana");
    const other = await subscribe("u_bea");

    const page = await list("u_ana", "?limit=1");
    expect(ids(page)).toEqual([second]);
    expect(page).toMatchObject({ has_more: true, next_cursor: second });
    expect(ids(await list("u_ana", `?limit=1&starting_after=${second}`))).toEqual([first]);
    expect(ids(await list("u_bea"))).toEqual([other]);
    expect(ids(await list("u_cleo"))).toEqual([]);
  });

  test("show what pays them, and neither the store's notes nor the provider's reference", async () => {
    await subscribe("u_ana");
    const [shown] = (await list("u_ana")).data;
    expect(shown).toMatchObject({
      status: "active",
      saved_method: { kind: "pix", label: "Sandbox ···· 4242", expires_at: null },
      metadata: {},
    });
    expect(JSON.stringify(shown)).not.toMatch(/reference|of the store/);
  });

  test("end with the paid period: nothing more is charged, and the repeat changes nothing", async () => {
    const id = await subscribe("u_ana");
    const token = await tokenOf("u_ana");
    const cancel = () => shop.post(`${path}/${id}/cancel`, as(token));

    const answers = await Promise.all([cancel(), cancel(), cancel()]);
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ id, status: "active", cancel_at_period_end: true });
    }
    expect(answers[0]?.body.data.next_charge_at).toBeNull();

    expect(await typesOf()).toEqual(["subscription.created"]);
    shop.advance(32 * day);
    await shop.storefront.runMaintenance();
    const ended = await shop.post(`${path}/${id}/cancel`, as(await tokenOf("u_ana")));
    expect(ended.body.data).toMatchObject({ status: "canceled" });
    // Maintenance has pruned the bytes of last month's events.
    expect(await typesOf()).toEqual(["subscription.canceled"]);
    expect(faultOf(await shop.post(`${path}/${id}/keep`, as(await tokenOf("u_ana"))))).toEqual([
      409,
      "subscription_ended",
      null,
    ]);
  });

  test("go on when the end is taken back, and the next period is charged", async () => {
    const id = await subscribe("u_ana");
    const token = await tokenOf("u_ana");
    await shop.post(`${path}/${id}/cancel`, as(token));

    const keep = () => shop.post(`${path}/${id}/keep`, as(token));
    const [kept] = await Promise.all([keep(), keep()]);
    expect(kept?.body.data).toMatchObject({ cancel_at_period_end: false, canceled_at: null });

    expect(await typesOf()).toEqual(["subscription.created", "subscription.updated"]);
    shop.advance(Date.parse(kept?.body.data.next_charge_at) - shop.now());
    await shop.storefront.runMaintenance();
    expect(await typesOf()).toEqual(["subscription.renewed"]);
  });

  test("of another buyer, store or mode are as unknown as those that are not", async () => {
    const id = await subscribe("u_ana");
    const mine = ids(await list("u_ana"))[0];
    const bea = await tokenOf("u_bea");
    const live = await tokenOf("u_ana", { ...where(), livemode: true });
    const elsewhere = await tokenOf("u_ana", { store_id: shop.b.id, livemode: false });

    for (const step of ["cancel", "keep"])
      for (const [token, key, wanted] of [
        [bea, shop.a.test.pub, id],
        [live, shop.a.live.pub, id],
        [elsewhere, shop.b.test.pub, id],
        [await tokenOf("u_ana"), shop.a.test.pub, "sub_unknown"],
      ] as const)
        expect(faultOf(await shop.post(`${path}/${wanted}/${step}`, as(token, key)))).toEqual([
          404,
          "resource_not_found",
          "id",
        ]);
    expect(faultOf(await shop.get(`${path}?starting_after=${mine}`, as(bea)))).toEqual([
      400,
      "invalid_cursor",
      "starting_after",
    ]);
    expect((await list("u_ana")).data[0]).toMatchObject({ cancel_at_period_end: false });
  });

  test("need a token of this store and mode that was not revoked", async () => {
    const id = await subscribe("u_ana");
    const token = await tokenOf("u_ana");
    const calls = () => [
      (own: string | undefined, key?: string) => shop.get(path, as(own, key)),
      (own: string | undefined, key?: string) => shop.post(`${path}/${id}/cancel`, as(own, key)),
      (own: string | undefined, key?: string) => shop.post(`${path}/${id}/keep`, as(own, key)),
    ];

    for (const call of calls()) {
      expect((await call(undefined)).body.error.code).toBe("missing_customer_token");
      expect((await call(token, shop.b.test.pub)).body.error.code).toBe("invalid_customer_token");
    }
    shop.advance(1_000);
    await shop.storefront.customers.revokeTokens({ ...where(), customer_id: "u_ana" });
    for (const call of calls())
      expect((await call(token)).body.error.code).toBe("invalid_customer_token");
    expect((await list("u_ana")).data[0]).toMatchObject({ cancel_at_period_end: false });
  });

  test("of an erased buyer are nobody's", async () => {
    const id = await subscribe("u_ana");
    await shop.owner.eraseCustomer(shop.a.id, "u_ana");
    shop.advance(1_000);

    expect(ids(await list("u_ana"))).toEqual([]);
    const answer = await shop.post(`${path}/${id}/cancel`, as(await tokenOf("u_ana")));
    expect(answer.status).toBe(404);
  });
});
