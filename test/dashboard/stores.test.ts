import { expect, test } from "vitest";
import { createDashboardShop } from "../support/dashboard-shop.ts";

test("stores are searched in the address, among those within reach alone", async () => {
  const shop = await createDashboardShop();
  for (const [id, name, slug] of [
    ["str_rosa", "Açaí da Rosa", "acai"],
    ["str_rosa2", "Rosa & filhos", "filhos"],
    ["str_zoe", "Zoe <b>", "zoe"],
  ] as const)
    await shop.owner.stores.create({ id, name, slug, currency: "BRL" });

  const linksOf = async (stores: "all" | readonly string[], query: string) => {
    const visitor = shop.visitor({ actor: "ana", stores, access: "read" });
    const { status, body } = await visitor.send(`/dashboard${query}`);
    expect(status).toBe(200);
    return [...(body ?? "").matchAll(/\/dashboard\/str_([a-z0-9]+)\/live/g)].map(([, id]) => id);
  };
  const own = ["str_gone", "str_rosa2", "str_zoe"];
  expect(await linksOf("all", "?search=ROSA")).toEqual(["rosa", "rosa2"]);
  expect(await linksOf("all", "?search=acai")).toEqual(["rosa"]);
  expect(await linksOf(own, "?search=rosa")).toEqual(["rosa2"]);
  expect(await linksOf(own, "?search=str_rosa")).toEqual(["rosa2"]);
  expect(await linksOf(own, "?search=str_zoe")).toEqual(["zoe"]);
  expect(await linksOf(own, "?search=acai")).toEqual([]);
  expect(await linksOf(own, "")).toEqual(["rosa2", "zoe"]);

  const { body } = await shop.visitor().send('/dashboard?search="><b>');
  expect(body).toContain('value="&quot;&gt;&lt;b&gt;"');
  expect(body).toContain("Nothing fits");
});
