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

test("a key tells when it was last used, in the list and before it is revoked", async () => {
  const shop = await createDashboardShop();
  const at = `/dashboard/${shop.a.id}/test/keys`;
  const visitor = shop.visitor();
  const [key] = (await shop.owner.keys.list(shop.a.id)).filter(
    ({ kind, livemode }) => kind === "secret" && !livemode,
  );
  const ask = async () => (await visitor.send(`${at}/${key?.id}/revoke`)).body;
  expect((await visitor.send(at)).body).toContain("Never");
  expect(await ask()).toContain("Nothing is known to have used it.");

  await shop.get("/store", { key: shop.a.test.sec });
  expect((await visitor.send(at)).body).toMatch(/data-column="Last used" ><div><time/);
  expect(await ask()).toContain("It is in use");
  shop.advance(3 * 3_600_000);
  expect(await ask()).toContain("It was last used 3 hours ago, give or take an hour.");
  shop.advance(72 * 3_600_000);
  expect(await ask()).toContain("last used 3 days ago");
});
