import { expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { createDemoDashboard } from "../../examples/demo/dashboard.ts";
import { brandColor } from "../../examples/demo/style.ts";
import { Visitor } from "../support/dashboard-shop.ts";
import { createShop } from "../support/shop.ts";

test("the demo's dashboard asks for its button, and lets in whoever has pressed it", async () => {
  const { storefront } = await createShop(memoryStorage());
  const serve = createDemoDashboard(storefront, "http://localhost:4242");
  const visitor = new Visitor(serve, undefined);
  const first = await visitor.send("/dashboard");
  expect([first.status, first.headers["location"]]).toEqual([303, "/dashboard-login"]);
  expect((await visitor.send("/dashboard-login")).body).toContain(
    "Sign in as the owner of the demo",
  );

  const foreign = { form: { a: "b" }, headers: { "sec-fetch-site": "cross-site" } };
  expect((await visitor.send("/dashboard-login", foreign)).status).toBe(200);
  expect((await visitor.send("/dashboard")).status).toBe(303);

  expect((await visitor.send("/dashboard-login", { form: { a: "b" } })).status).toBe(303);
  const { body } = await visitor.send("/dashboard");
  expect(body).toContain("Store A");

  const [sheet = ""] = /\/dashboard\/assets\/dashboard-[^"]*\.css/.exec(String(body)) ?? [];
  expect((await visitor.send(sheet)).body, "the colour of the shop").toContain(brandColor);
});
