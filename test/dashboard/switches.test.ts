import { describe, expect, test } from "vitest";
import {
  createDashboardShop,
  type DashboardShop,
  filledIn,
  formOf,
} from "../support/dashboard-shop.ts";
import { storages } from "../support/storages.ts";

/** The lists with a switch: how to make a record, read its switch and change something else. */
const lists = {
  products: {
    action: "products.update",
    make: ({ owner, a }: DashboardShop) =>
      owner.products.create(a.id, { name: "Mug", price: 100, currency: "BRL" }),
    isOn: async ({ owner, a }: DashboardShop, id: string) =>
      (await owner.products.retrieve(a.id, id)).active,
    change: ({ owner, a }: DashboardShop, id: string) =>
      owner.products.update(a.id, id, { price: 200 }),
  },
  coupons: {
    action: "coupons.update",
    make: ({ owner, a }: DashboardShop) =>
      owner.coupons.create(a.id, {
        code: "TEN",
        discount_type: "percentage",
        discount_amount: 10,
      }),
    isOn: async ({ owner, a }: DashboardShop, id: string) =>
      (await owner.coupons.retrieve(a.id, id)).enabled,
    change: ({ owner, a }: DashboardShop, id: string) =>
      owner.coupons.update(a.id, id, { max_uses: 5 }),
  },
  "payment-methods": {
    action: "payment_methods.update",
    make: ({ owner, a }: DashboardShop) =>
      owner.paymentMethods.create(a.id, { type: "pix", name: "Pix", currencies: ["BRL"] }),
    isOn: async ({ owner, a }: DashboardShop, id: string) =>
      (await owner.paymentMethods.retrieve(a.id, id)).enabled,
    change: ({ owner, a }: DashboardShop, id: string) =>
      owner.paymentMethods.update(a.id, id, { name: "Pix!" }),
  },
} as const;

const names = Object.keys(lists) as (keyof typeof lists)[];

/** The form of one record's switch among those of the list. */
async function switchOf(shop: DashboardShop, target: string, id: string) {
  const visitor = shop.visitor();
  const page = await visitor.send(target);
  const forms = (page.body ?? "").split("<form ").map((each) => each.split("</form>")[0] ?? "");
  const form = forms.find((each) => each.includes(`value="${id}"`));
  const fields = formOf({ ...page, body: `<form ${form}` }, "switch");
  return { visitor, fields, send: () => visitor.send(target, { form: fields }) };
}

describe.each(storages)("a switch in a list, on %s", (_name, open) => {
  test.each(names)(
    "turns one of the %s off and on, as its actor, and stays in the list",
    async (name) => {
      const shop = await createDashboardShop({ storage: await open() });
      const { action, make, isOn } = lists[name];
      const { id } = await make(shop);
      const list = `/dashboard/${shop.a.id}/test/${name}`;
      for (const expected of [false, true]) {
        const reply = await (await switchOf(shop, list, id)).send();
        expect([reply.status, await isOn(shop, id)]).toEqual([303, expected]);
        expect(reply.headers["location"]).toMatch(new RegExp(`^${list}\\?done=`));
      }
      const { data } = await shop.owner.audit.list({ store_id: shop.a.id, action });
      expect(data.map(({ actor, subject }) => [actor, subject.id])).toEqual([
        ["ana", id],
        ["ana", id],
      ]);
    },
  );

  test.each(names)(
    "of %s is refused when somebody else has changed the record since",
    async (name) => {
      const shop = await createDashboardShop({ storage: await open() });
      const { make, isOn, change } = lists[name];
      const { id } = await make(shop);
      const form = await switchOf(shop, `/dashboard/${shop.a.id}/test/${name}`, id);
      await change(shop, id);
      const reply = await form.send();
      expect([reply.status, await isOn(shop, id)]).toEqual([409, true]);
      expect(reply.body).toContain("Someone else has changed it since you opened this list.");
      expect(reply.body).toContain('role="switch"');
    },
  );
});

test("a switch is one's alone who may change the record, and keeps the filters of the list", async () => {
  const shop = await createDashboardShop();
  const { id } = await lists.products.make(shop);
  const list = `/dashboard/${shop.a.id}/test/products`;
  const reader = shop.visitor({ actor: "rui", stores: [shop.a.id], access: "read" });
  const { body } = await reader.send(list);
  expect([body?.includes("Mug"), body?.includes('role="switch"')]).toEqual([true, false]);

  const filtered = `${list}?search=mug&active=published`;
  const { visitor, fields } = await switchOf(shop, filtered, id);
  const none = filledIn(fields, { id: "prod_none" });
  const gone = await visitor.send(filtered, { form: none });
  expect(gone.status).toBe(409);
  const sent = await switchOf(shop, filtered, id);
  const reply = await sent.send();
  expect(reply.headers["location"]).toMatch(/\?search=mug&active=published&done=/);
  expect((await sent.send()).status).toBe(409);
  expect(await lists.products.isOn(shop, id)).toBe(false);
});

test("a sale does not make the switch of its product or coupon stale", async () => {
  const shop = await createDashboardShop();
  const { owner, a, product } = shop;
  await owner.products.update(a.id, product.id, { stock: 9 });
  const form = await switchOf(shop, `/dashboard/${a.id}/test/products`, product.id);
  await shop.buy();
  expect((await form.send()).status).toBe(303);
});
