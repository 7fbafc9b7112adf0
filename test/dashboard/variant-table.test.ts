import { beforeEach, describe, expect, test } from "vitest";
import {
  createDashboardShop,
  type DashboardShop,
  filledIn,
  formOf,
  type Visitor,
} from "../support/dashboard-shop.ts";
import { storages } from "../support/storages.ts";

const textOf = (html: string | null): string => (html ?? "").replace(/<[^>]*>/g, "");

describe.each(storages)("variants on the dashboard, on %s", (_name, open) => {
  let shop: DashboardShop;
  let visitor: Visitor;
  let shirt: string;
  let page: string;
  beforeEach(async () => {
    shop = await createDashboardShop({ storage: await open() });
    visitor = shop.visitor();
    const made = { name: "Shirt", currency: "BRL", price: 5_000, stock: 7, sku: "SH" };
    shirt = (await shop.owner.products.create(shop.a.id, made)).id;
    page = `/dashboard/${shop.a.id}/test/products/${shirt}/variants`;
  });
  const variants = async () => {
    const { data } = await shop.owner.products.list(shop.a.id, { group: "shirt" });
    return [...data].sort((one, other) => one.position - other.position);
  };
  const labels = async () =>
    (await variants()).map(({ options }) => options?.map(({ value }) => value).join(" "));
  const plan = (values: string) => visitor.submit(page, "plan", { values });
  const make = async (values: string) =>
    visitor.send(page, { form: formOf(await plan(values), "make") });

  test("values make the missing combinations in one call, after they were shown", async () => {
    const shown = await plan("Size: S, M\nColour: black, white");
    expect(shown.status).toBe(200);
    const words = textOf(shown.body);
    expect(words).toContain("becomes the variant S · black");
    for (const label of ["S · white", "M · black", "M · white"]) expect(words).toContain(label);
    expect(await variants()).toEqual([]);

    const sent = await visitor.send(page, { form: formOf(shown, "make") });
    expect(sent.status).toBe(303);
    expect(await labels()).toEqual(["S black", "S white", "M black", "M white"]);
    const [first, second] = await variants();
    expect(first).toMatchObject({ id: shirt, sku: "SH", stock: 7, slug: "shirt" });
    expect(second).toMatchObject({ price: 5_000, stock: 0, slug: "shirt-s-white" });
    expect(Object.keys(second ?? {})).not.toContain("sku");
    const log = await shop.owner.audit.list({ store_id: shop.a.id, action: "products.import" });
    expect(log.data).toMatchObject([{ after: { created: 3, updated: 1 } }]);

    expect((await make("Size: S, M, L\nColour: black, white")).status).toBe(303);
    expect((await labels()).slice(4)).toEqual(["L black", "L white"]);
  });

  test("values that make nothing, too many or other options are told beside the field", async () => {
    expect((await make("Size: S, M")).status).toBe(303);
    const refused = {
      "Size: M, S": "exist already",
      "Colour: red": "options Size",
      Size: "one to three lines",
      [`Size: ${Array.from({ length: 101 }, (_, index) => index).join(",")}`]: "would be 101",
      [`Size: ${"x".repeat(101)}`]: "100 characters",
    };
    for (const [values, fault] of Object.entries(refused)) {
      const answer = await plan(values);
      expect([values, answer.status]).toEqual([values, 422]);
      expect(textOf(answer.body)).toContain(fault);
    }
    expect(await labels()).toEqual(["S", "M"]);
  });

  test("values with a comma stand between semicolons, as they are shown and as they are typed", async () => {
    const volumes = { options: [{ name: "Volume", value: "1,5 l" }], group: "shirt" };
    await shop.owner.products.update(shop.a.id, shirt, volumes);
    const shown = formOf(await visitor.send(page), "plan");
    expect(shown.get("values")?.trim()).toBe("Volume: 1,5 l;");
    const same = await visitor.send(page, { form: shown });
    expect([same.status, textOf(same.body).includes("exist already")]).toEqual([422, true]);

    expect((await make("Volume: 1,5 l; 2 l; 2,5 l")).status).toBe(303);
    expect(await labels()).toEqual(["1,5 l", "2 l", "2,5 l"]);
    expect((await make("Volume: 3 l, 4 l")).status).toBe(303);
    expect((await labels()).slice(3)).toEqual(["3 l", "4 l"]);
  });

  test("what was shown and has changed since is shown anew, and nothing is made", async () => {
    const shown = await plan("Size: S, M");
    await shop.owner.products.update(shop.a.id, shirt, { price: 9_000 });
    const answer = await visitor.send(page, { form: formOf(shown, "make") });
    expect(answer.status).toBe(409);
    expect(textOf(answer.body)).toContain("90.00");
    expect(await variants()).toEqual([]);
  });

  test("all rows are one form, saved as one call that writes what was edited", async () => {
    await make("Size: S, M, L");
    const [small, medium, large] = (await variants()).map(({ id }) => id);
    const typed = {
      [`price-${medium}`]: "60.50",
      [`stock-${medium}`]: "4",
      [`sku-${large}`]: "SH-L",
      [`active-${large}`]: [],
    };
    expect((await visitor.submit(page, "save", typed)).status).toBe(303);
    expect(await variants()).toMatchObject([
      { id: small, price: 5_000, stock: 7, sku: "SH", active: true },
      { id: medium, price: 6_050, stock: 4, active: true },
      { id: large, price: 5_000, stock: 0, sku: "SH-L", active: false },
    ]);
    const log = await shop.owner.audit.list({ store_id: shop.a.id, action: "products.import" });
    const saved = log.data.filter(({ after }) => after?.["created"] === 0);
    expect(saved).toMatchObject([{ after: { updated: 2 } }]);

    const wrong = { [`sku-${medium}`]: "sh-l", [`price-${small}`]: "1.00" };
    const refused = await visitor.submit(page, "save", wrong);
    expect(refused.status).toBe(422);
    expect(refused.body).toContain(`id="sku-${medium}-error"`);
    const unread = await visitor.submit(page, "save", { [`price-${small}`]: "" });
    expect(unread.body).toContain(`id="price-${small}-error"`);
    expect((await variants())[0]?.price).toBe(5_000);
  });

  test("a row that somebody else has saved meanwhile is shown with both", async () => {
    await make("Size: S, M");
    const [small, medium] = (await variants()).map(({ id }) => id);
    const form = formOf(await visitor.send(page), "save");
    await shop.owner.products.update(shop.a.id, small ?? "", { price: 7_000, description: "New" });
    const typed = { [`price-${small}`]: "80.00", [`price-${medium}`]: "90.00" };
    const answer = await visitor.send(page, { form: filledIn(form, typed) });
    expect(answer.status).toBe(409);
    expect(textOf(answer.body)).toContain("70.00");
    expect((await variants()).map(({ price }) => price)).toEqual([7_000, 5_000]);

    const again = filledIn(formOf(answer, "save"), {});
    expect((await visitor.send(page, { form: again })).status).toBe(303);
    expect(await variants()).toMatchObject([
      { price: 8_000, description: "New" },
      { price: 9_000 },
    ]);
  });

  test("putMany with expected refuses all of it when one is another by now", async () => {
    await make("Size: S, M");
    const read = await variants();
    await shop.owner.products.update(shop.a.id, shirt, { price: 7_000 });
    const puts = read.map(({ id, name, currency, group, options }) => ({
      ...{ id, name, currency, price: 1, options: options ?? [] },
      ...(group && { group }),
    }));
    const call = shop.owner.products.putMany(shop.a.id, puts, { expected: read });
    await expect(call).rejects.toMatchObject({ code: "precondition_failed" });
    expect((await variants()).map(({ price }) => price)).toEqual([7_000, 5_000]);
  });
});
