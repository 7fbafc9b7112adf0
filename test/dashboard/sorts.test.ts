import { beforeEach, describe, expect, test } from "vitest";
import { fillStore, sell } from "../support/dashboard-records.ts";
import {
  createDashboardShop,
  type DashboardShop,
  type PageReply,
} from "../support/dashboard-shop.ts";
import { storages } from "../support/storages.ts";

const plain = (text = ""): string => text.replaceAll("&amp;", "&");
const headIn = ({ body }: PageReply, label: string) => {
  const found = new RegExp(`<th scope="col"([^>]*)><a href="([^"]+)">${label}<`).exec(body ?? "");
  const [, marks = "", address = ""] = found ?? [];
  return { sorted: /aria-sort="(\w+)"/.exec(marks)?.[1] ?? null, address: plain(address) };
};

/** Gives the rows of the first table, by their first small text, link or time. */
const rowsIn = ({ body }: PageReply): readonly string[] => {
  const [, rows = ""] = /<tbody>(.*?)<\/tbody>/s.exec(body ?? "") ?? [];
  return rows
    .split("<tr>")
    .slice(1)
    .map((row) => /<small>(.*?)<\/small>|datetime="(.*?)"/.exec(row)?.[0] ?? row);
};

describe.each(storages)("the heads of a list's columns on %s", (_name, open) => {
  let shop: DashboardShop;
  let base: string;
  let visitor: ReturnType<DashboardShop["visitor"]>;
  let where: { readonly store_id: string; readonly livemode: boolean };
  beforeEach(async () => {
    shop = await createDashboardShop({ storage: await open() });
    base = `/dashboard/${shop.a.id}/test`;
    visitor = shop.visitor();
    where = { store_id: shop.a.id, livemode: false };
  });

  test("turn each list around that begins with its newest row, and keep its filters", async () => {
    await fillStore(shop, (kind) => kind);
    for (const turn of ["one", "two", "three"]) {
      shop.advance(60_000);
      await sell(shop, (kind) => (kind.includes("@") ? kind : `${kind} ${turn}`));
      const alert = { ...where, type: "t", subject: turn, data: {}, created_at: shop.now() };
      await shop.storage.access.raiseAlert({ ...alert, id: `alr_${shop.now()}` }, 0);
      await shop.storefront.as("ana").owner.stores.update(shop.a.id, { name: turn });
    }

    const lists = {
      payments: "status=succeeded",
      refunds: "status=succeeded",
      disputes: "status=won",
      "checkout-sessions": "status=complete",
      subscriptions: "status=active",
      events: "type=order.paid",
      deliveries: "state=pending",
      alerts: "state=open",
      audit: "action=stores.update",
      requests: "",
    };
    for (const [path, filter] of Object.entries(lists)) {
      const newest = await visitor.send(`${base}/${path}?${filter}`);
      expect(headIn(newest, "Created").sorted, path).toBe("descending");
      const address = headIn(newest, "Created").address;
      expect(address, path).toContain(filter);
      const oldest = await visitor.send(address);
      expect(headIn(oldest, "Created").sorted, path).toBe("ascending");
      expect(headIn(oldest, "Created").address, path).not.toContain("sort");
      expect(rowsIn(oldest).length, path).toBeGreaterThan(1);
      expect(rowsIn(oldest), path).toEqual(rowsIn(newest).toReversed());
    }
    const file = await visitor.send(`${base}/payments/export.csv?sort=oldest`);
    const times = [...(file.body ?? "").matchAll(/,(20\S+?Z),/g)].map(([, time]) => time);
    expect(times).toEqual(times.toSorted());
    // The list of what is due has an order of its own.
    const due = await visitor.send(`${base}/subscriptions?status=due&sort=oldest`);
    expect([due.status, due.body?.includes("aria-sort")]).toEqual([200, false]);
  });

  test("lead to the open disputes by the time for an answer, and no other status keeps it", async () => {
    for (const days of [5, 2, null, 9]) {
      const order = await shop.buy();
      const due_by = days === null ? null : new Date(shop.now() + days * 86_400_000).toISOString();
      const dispute = { ...where, reference: `in ${days}`, due_by };
      await shop.storefront.orders.openDispute(order?.id ?? "", dispute);
    }
    const named = (...days: readonly (number | null)[]) =>
      days.map((day) => `<small>in ${day}</small>`);
    const all = await visitor.send(`${base}/disputes`);
    expect(headIn(all, "Answer by").sorted).toBeNull();
    const first = await visitor.send(headIn(all, "Answer by").address);
    expect(rowsIn(first)).toEqual(named(2, 5, 9, null));
    expect(first.body).toContain('status=open&amp;sort=due_by" aria-current="true"');
    const last = await visitor.send(headIn(first, "Answer by").address);
    expect(rowsIn(last)).toEqual(named(9, 5, 2, null));

    const lost = await visitor.send(`${base}/disputes?status=lost&sort=due_by`);
    expect([lost.status, lost.body?.includes("due_by")]).toEqual([200, false]);
    expect((await visitor.send(`${base}/disputes/export.csv?sort=due_by`)).status).toBe(200);
  });

  test("sort coupons by code and age, and customers by id unless they are searched", async () => {
    for (const code of ["B2", "C1", "A3"]) {
      shop.advance(1_000);
      const percent = { discount_type: "percentage", discount_amount: 1 } as const;
      await shop.owner.coupons.create(shop.a.id, { ...percent, code });
      await shop.buy({}, {}, { customer: { id: `u_${code}`, email: `${code}@example.com` } });
    }
    const codesIn = ({ body }: PageReply) =>
      [...(body ?? "").matchAll(/<code>(\w\d)<\/code>/g)].map(([, code]) => code);
    const usual = await visitor.send(`${base}/coupons`);
    expect(codesIn(usual)).toEqual(["B2", "C1", "A3"]);
    expect(headIn(usual, "Created").sorted).toBe("ascending");
    expect(codesIn(await visitor.send(headIn(usual, "Created").address))).toEqual([
      "A3",
      "C1",
      "B2",
    ]);
    const byCode = await visitor.send(headIn(usual, "Code").address);
    expect([headIn(byCode, "Code").sorted, ...codesIn(byCode)]).toEqual([
      "ascending",
      "A3",
      "B2",
      "C1",
    ]);
    expect(codesIn(await visitor.send(headIn(byCode, "Code").address))).toEqual(["C1", "B2", "A3"]);

    const customers = await visitor.send(`${base}/customers`);
    expect(headIn(customers, "Customer").sorted).toBe("ascending");
    const back = await visitor.send(headIn(customers, "Customer").address);
    expect(rowsIn(back)).toEqual(rowsIn(customers).toReversed());
    const found = await visitor.send(`${base}/customers?search=u_A3&sort=-id`);
    expect([rowsIn(found).length, headIn(found, "Customer").address]).toEqual([1, ""]);
  });

  test("sort customers by what they have spent, page by page, in the store's currency", async () => {
    const { owner } = shop;
    const dear = { name: "Dear", price: 9_000, currency: "BRL" };
    const { id } = await owner.products.create(shop.a.id, dear);
    const buyers = Array.from({ length: 27 }, (_, at) => `u_${at + 10}`);
    for (const buyer of buyers) {
      // No more checkouts than the limits of a minute allow.
      shop.advance(10_000);
      const number = Number(buyer.slice(2));
      const items = [{ product_id: number % 2 ? id : shop.product.id, quantity: 1 + (number % 3) }];
      await shop.buy({ items, customer: { id: buyer, email: `${buyer}@example.com` } });
    }
    const spentBy = (buyer: string): number => {
      const number = Number(buyer.slice(2));
      return (number % 2 ? 9_000 : 1_000) * (1 + (number % 3));
    };
    const most = buyers.toSorted((a, b) => spentBy(b) - spentBy(a) || (a < b ? 1 : -1));
    const shown = ({ body }: PageReply) =>
      [...(body ?? "").matchAll(/>(u_\d+)@example\.com<\/a>/g)].map(([, buyer]) => buyer);
    const nextIn = ({ body }: PageReply) =>
      plain(/rel="next"\s+href="([^"]+)"/.exec(body ?? "")?.[1]);

    const usual = await visitor.send(`${base}/customers`);
    expect([headIn(usual, "Spent").sorted, usual.body?.includes("paid in BRL")]).toEqual([
      null,
      false,
    ]);
    const first = await visitor.send(headIn(usual, "Spent").address);
    expect(headIn(first, "Spent").sorted).toBe("descending");
    expect(first.body).toContain("Whoever has paid in BRL");
    const rest = await visitor.send(nextIn(first));
    expect([...shown(first), ...shown(rest)]).toEqual(most);
    const least = await visitor.send(headIn(first, "Spent").address);
    expect(headIn(least, "Spent").sorted).toBe("ascending");
    expect([...shown(least), ...shown(await visitor.send(nextIn(least)))]).toEqual(
      most.toReversed(),
    );
    const file = await visitor.send(`${base}/customers/export.csv?sort=-spent`);
    const ids = [...(file.body ?? "").matchAll(/,(u_\d+)@/g)].map(([, buyer]) => buyer);
    expect(ids).toEqual(most);

    const wanted = { ...where, limit: 2, sort: "-spent" } as const;
    const { next_cursor: starting_after } = await owner.customers.list(wanted);
    for (const [wrong, code, param] of [
      [{ ...wanted, sort: "spent", starting_after }, "invalid_cursor", "starting_after"],
      [{ ...wanted, currency: "USD", starting_after }, "invalid_cursor", "starting_after"],
      [{ ...wanted, starting_after: "u_10" }, "invalid_cursor", "starting_after"],
      [{ ...where, currency: "USD" }, "parameter_invalid", "currency"],
      [{ ...where, search: "u_1", sort: "spent" }, "parameter_invalid", "sort"],
      [{ ...wanted, currency: "XX" }, "parameter_invalid", "currency"],
    ] as const)
      await expect(owner.customers.list(wrong)).rejects.toMatchObject({ code, param });
    const dollars = await owner.customers.list({ ...wanted, currency: "USD" });
    expect(dollars.data).toEqual([]);
    const named = await owner.customers.list({ ...wanted, currency: "BRL", starting_after });
    expect(named.data.map(({ email }) => email?.split("@")[0])).toEqual(most.slice(2, 4));
  });

  test("sort a list that is read whole by each of its columns, what lacks a value last", async () => {
    const method = { type: "pix", currencies: ["BRL"] } as const;
    for (const [name, gateway, enabled] of [
      ["Zeta 10", null, true],
      ["alfa", "sandbox", false],
      ["Zeta 9", "other", true],
    ] as const)
      await shop.owner.paymentMethods.create(shop.a.id, { ...method, name, gateway, enabled });
    const names = async (sort: string): Promise<readonly (string | undefined)[]> => {
      const page = await visitor.send(`${base}/payment-methods?sort=${sort}`);
      const links = /payment-methods\/pm_\w+">(Zeta \d+|alfa)</g;
      return [...(page.body ?? "").matchAll(links)].map(([, name]) => name);
    };
    expect(await names("name")).toEqual(["alfa", "Zeta 9", "Zeta 10"]);
    expect(await names("-name")).toEqual(["Zeta 10", "Zeta 9", "alfa"]);
    expect(await names("gateway")).toEqual(["Zeta 9", "alfa", "Zeta 10"]);
    expect(await names("-gateway")).toEqual(["alfa", "Zeta 9", "Zeta 10"]);
    expect((await names("-state"))[0]).toBe("alfa");
    const usual = await names("");
    for (const unknown of ["toString", "-", "__proto__"])
      expect(await names(unknown)).toEqual(usual);
    const page = await visitor.send(`${base}/payment-methods?sort=name`);
    expect(headIn(page, "Name").sorted).toBe("ascending");
    expect(page.body).toContain('action="/dashboard');
    expect(page.body).toMatch(/payment-methods\?sort=name"[^>]*>\s*<input/);

    await fillStore(shop, (kind) => kind);
    for (const [path, labels] of [
      ["categories", ["Name", "Parent category", "Status"]],
      ["webhooks", ["Address", "Events", "Status"]],
      ["keys", ["Name", "Kind", "Created", "Last used", "Status"]],
      ["people", ["Name", "Rights", "Invited by", "Last seen", "Passkeys"]],
    ] as const) {
      const list = await visitor.send(`${base}/${path}`);
      for (const label of labels) {
        const sorted = await visitor.send(headIn(list, label).address);
        expect(headIn(sorted, label).sorted, `${path} ${label}`).toBe("ascending");
        expect(rowsIn(sorted).toSorted()).toEqual(rowsIn(list).toSorted());
      }
    }
  });
});
