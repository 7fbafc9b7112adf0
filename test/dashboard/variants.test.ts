import { expect, test } from "vitest";
import { createDashboardShop, filledIn, formOf } from "../support/dashboard-shop.ts";

const textOf = (html: string | null): string => (html ?? "").replace(/<[^>]*>/g, "");

test("a product's form holds its codes, group and options, and its page lists the group", async () => {
  const shop = await createDashboardShop();
  const { owner, a } = shop;
  const shirt = { name: "Shirt", currency: "BRL", group: "shirt" };
  const options = (value: string) => [{ name: "Size", value }];
  const [small, medium] = await owner.products.putMany(a.id, [
    { ...shirt, price: 1_000, options: options("S"), sku: "SH-S", stock: 3 },
    { ...shirt, price: 2_000, options: options("M") },
  ]);
  const visitor = shop.visitor();
  const page = `/dashboard/${a.id}/test/products/${medium?.id}`;
  const shown = (await visitor.send(page)).body;
  expect(textOf(shown)).toContain("Variants");
  expect(shown).toContain(`/products/${small?.id}`);
  expect(textOf(shown)).toContain("SH-S");

  const send = async (fields: Record<string, string>) => {
    const form = formOf(await visitor.send(page), "save");
    return visitor.send(page, { form: filledIn(form, fields) });
  };
  const taken = await send({ sku: "sh-s" });
  expect(taken.status).toBe(422);
  expect(textOf(taken.body)).toContain("taken");
  const same = await send({ options: "Size: S" });
  expect(same.status).toBe(422);

  const edited = { sku: "SH-M", external_id: "77", options: "Size: L" };
  expect((await send(edited)).status).toBe(303);
  expect(await owner.products.retrieve(a.id, medium?.id ?? "")).toMatchObject({
    sku: "SH-M",
    external_id: "77",
    group: "shirt",
    options: options("L"),
  });

  const found = await visitor.send(`/dashboard/${a.id}/test/search?q=SH-M`);
  expect(found.body).toContain(`/products/${medium?.id}`);
  const alone = `/dashboard/${a.id}/test/products/${shop.product.id}`;
  const plain = await visitor.send(alone);
  expect(plain.body).not.toContain(`/products/${small?.id}`);
  const left = filledIn(formOf(plain, "save"), { name: "Renamed" });
  expect((await visitor.send(alone, { form: left })).status).toBe(303);
  expect(Object.keys(await owner.products.retrieve(a.id, shop.product.id))).not.toContain("sku");
});

test("options with colons, commas, semicolons and quotes are typed, and stay as they are", async () => {
  const shop = await createDashboardShop();
  const { owner, a, product } = shop;
  const visitor = shop.visitor();
  const page = `/dashboard/${a.id}/test/products/${product.id}`;
  const asked = '"Size: EU": "1,5; slim"; 2"; """L""";\n"Tom": a';
  const shown = await visitor.submit(`${page}/variants`, "plan", { values: asked });
  expect(shown.status).toBe(200);
  const form = filledIn(formOf(shown, "make"), {});
  expect((await visitor.send(`${page}/variants`, { form })).status).toBe(303);

  const optionsNow = async () =>
    (await owner.products.list(a.id, { limit: 100 })).data.flatMap(({ options }) =>
      options ? [options.map(({ name, value }) => `${name}=${value}`).join(" ")] : [],
    );
  const made = ["Size: EU=1,5; slim Tom=a", 'Size: EU=2" Tom=a', 'Size: EU="L" Tom=a'];
  expect((await optionsNow()).sort()).toEqual([...made].sort());

  // What the page shows is read as what it was written from.
  const again = await visitor.submit(`${page}/variants`, "plan", {});
  expect(textOf(again.body)).toContain("All of these variants exist already.");
  expect((await visitor.submit(page, "save", { name: "Renamed" })).status).toBe(303);
  expect((await optionsNow()).sort()).toEqual([...made].sort());
  expect((await owner.products.retrieve(a.id, product.id)).name).toBe("Renamed");
});

test("the first variants of a product take the right to change it too", async () => {
  const shop = await createDashboardShop();
  const { owner, a, product } = shop;
  const page = `/dashboard/${a.id}/test/products/${product.id}/variants`;
  const access = { actor: "bia", stores: "all", access: ["products.create"] } as const;
  const bia = shop.visitor(access);
  expect((await bia.send(page)).body).not.toContain('name="values"');
  expect((await bia.send(page.replace("/variants", ""))).body).not.toContain("/variants");

  // She has the form of before: rights count when it is sent.
  const rights = [...access.access, "products.update"] as const;
  const able = shop.visitor({ ...access, access: rights });
  const own = await able.submit(page, "plan", { values: "Size: S, M" });
  for (const [name, value] of able.cookies) bia.cookies.set(name, value);
  const late = await bia.send(page, { form: formOf(own, "make") });
  expect([late.status, late.body?.includes("Nothing was done")]).toEqual([403, true]);
  expect(await owner.products.retrieve(a.id, product.id)).not.toHaveProperty("group");
});
