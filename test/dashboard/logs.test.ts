import { expect, test } from "vitest";
import { createDashboardShop } from "../support/dashboard-shop.ts";

test("requests are found by id and by error, and an error says how to mend it", async () => {
  const shop = await createDashboardShop();
  const at = `/dashboard/${shop.a.id}/test/requests`;
  const visitor = shop.visitor();
  const refused = await shop.session({ success_url: "https://evil.example.com" });
  await shop.session();
  const id: string = refused.body.request_id;

  const all = (await visitor.send(at)).body ?? "";
  expect(all.match(/POST \/checkout\/sessions<\/a>/g)).toHaveLength(2);
  const code: string = refused.body.error.code;
  const byCode = (await visitor.send(`${at}?code=${code}`)).body ?? "";
  expect([byCode.match(/POST \/checkout\/sessions<\/a>/g)?.length, byCode.includes(id)]).toEqual([
    1,
    true,
  ]);
  expect((await visitor.send(`${at}?id=${id}`)).body).toContain(`/requests/${id}`);
  const none = await visitor.send(`${at}?id=nothing`);
  expect([none.status, none.body?.includes("/requests/req_")]).toEqual([200, false]);

  const one = await visitor.send(`${at}/${id}`);
  expect([one.status, one.body?.includes("How to mend it")]).toEqual([200, true]);
  const live = `/dashboard/${shop.a.id}/live/requests/${id}`;
  expect((await visitor.send(live)).status).toBe(404);

  const reader = shop.visitor({ actor: "rui", stores: [shop.a.id], access: "read" });
  expect((await reader.send(at)).status).toBe(403);
  expect((await reader.send(`/dashboard/${shop.a.id}/test`)).body).not.toContain("/test/requests");
});

test("a row of calls beyond a limit says how many they are", async () => {
  const limits = { checkout: { limit: 1, window_ms: 600_000 } };
  const shop = await createDashboardShop({ storefront: { limits } });
  for (let call = 0; call < 4; call += 1) await shop.session();
  shop.advance(60_000);
  const { body } = await shop.session();

  const at = `/dashboard/${shop.a.id}/test/requests`;
  expect((await shop.visitor().send(at)).body).toContain("3 calls, of which this is one");
  const page = (await shop.visitor().send(`${at}/${body.request_id}`)).body;
  expect(page).toContain("3 calls, of which this is one");
});

test("the audit log shows who changed what, by actor and action", async () => {
  const shop = await createDashboardShop();
  const at = `/dashboard/${shop.a.id}/test`;
  const visitor = shop.visitor();
  expect((await visitor.send(`${at}/audit`)).body).toContain("Nothing was changed yet");
  await visitor.submit(`${at}/settings`, "save", { name: "New name" });

  for (const query of ["", "?actor=ana", "?action=stores.update"]) {
    const { body } = await visitor.send(`${at}/audit${query}`);
    expect(body).toMatch(/<strong>ana<\/strong> changed the name/);
    expect(body).toContain("New name");
  }
  for (const query of ["?actor=rui", "?action=keys.create", "?to=2020-01-01"])
    expect((await visitor.send(`${at}/audit${query}`)).body).not.toContain("<strong>ana");
});

test("an event's page has its deliveries and their attempts, and a delivery leads back to it", async () => {
  const shop = await createDashboardShop();
  const where = { store_id: shop.a.id, livemode: false };
  const urls = ["https://a.example.com/in", "https://b.example.com/in"];
  for (const url of urls) await shop.owner.endpoints.create({ ...where, url });
  const order = await shop.buy();
  const { data } = await shop.owner.events.list({ ...where, type: "order.paid" });
  const [event] = data;
  const at = `/dashboard/${shop.a.id}/test`;
  const visitor = shop.visitor();
  const before = (await visitor.send(`${at}/events/${event?.id}`)).body ?? "";
  expect([order?.status, before.includes("Attempt<")]).toEqual(["paid", false]);

  shop.receiver.answer = ({ url }) =>
    url === urls[0] ? { ok: false, status: 503, error: "http_status" } : {};
  await shop.storefront.drainWebhooks();
  const page = (await visitor.send(`${at}/events/${event?.id}`)).body ?? "";
  expect(page.match(/data-column="Attempt" ><div>1</g)).toHaveLength(2);
  expect(page).toMatch(/class="badge bad">503/);
  expect(page).toMatch(/class="badge good">200/);

  const [, delivery = ""] = new RegExp(`href="(${at}/deliveries/[^"]+)"`).exec(page) ?? [];
  expect((await visitor.send(delivery)).body).toContain(`href="${at}/events/${event?.id}"`);
});
