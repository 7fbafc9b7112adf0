import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createStorefront, sandboxGateway } from "vitrine";
import { sqliteStorage } from "vitrine/sqlite";
import { freshFolder } from "../support/demo.ts";
import { openSqlite } from "../support/open-sqlite.ts";
import { textOf } from "../support/reply-text.ts";
import { createShop, returnUrl, start } from "../support/shop.ts";

test("a backup made beside buyers is whole, and goes on from its moment without a silent gap", async () => {
  const file = join(freshFolder(), "shop.sqlite");
  const storage = sqliteStorage(file);
  await storage.migrate();
  const shop = await createShop(storage);
  const { secret } = await shop.owner.endpoints.create({
    store_id: shop.a.id,
    livemode: false,
    url: "https://shop.example-a.com/hook",
  });
  expect(secret).toMatch(/^whsec_/);
  const first = await shop.buy();

  // The command of docs/operations.md, from another process's handle while buyers write.
  const buying = [shop.buy(), shop.buy()];
  const beside = openSqlite(file);
  beside.exec(`vacuum into '${file}.backup'`);
  beside.close();
  await Promise.all(buying);
  const headers = { "idempotency-key": "after-the-backup" };
  expect((await shop.session({}, { headers })).status).toBe(201);
  const lost = await shop.buy();
  const feed = (await shop.get("/events?limit=100", { key: shop.a.test.sec })).body.data;

  const restored = sqliteStorage(`${file}.backup`);
  const sent: string[] = [];
  const storefront = createStorefront({
    storage: restored,
    publicUrl: "https://api.example.com",
    checkout: { baseUrl: "https://pay.example.com/c" },
    gateways: [sandboxGateway()],
    sealKey: new Uint8Array(32).fill(3),
    transport: {
      check: async () => ({ ok: true }),
      send: async ({ body }) => {
        sent.push(JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body)).id);
        return { ok: true, status: 200, error: null, snippet: "", duration_ms: 1 };
      },
    },
    now: () => start,
  });
  onTestFinished(() => Promise.all([shop.storefront.close(), storefront.close()]).then(() => {}));
  await storefront.migrate();
  const ask = async (target: string, key: string, body?: object) => {
    const sends: Record<string, string> = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...headers,
    };
    const reply = await storefront.serve({
      method: body ? "POST" : "GET",
      target: `/v1${target}`,
      ip: "203.0.113.9",
      header: (name) => sends[name],
      body: async () => (body ? new TextEncoder().encode(JSON.stringify(body)) : null),
    });
    return {
      status: reply?.status,
      headers: reply?.headers,
      ...JSON.parse((await textOf(reply?.body ?? null)) ?? "{}"),
    };
  };

  // A reader that has seen later events is refused, and does not pass over what comes now.
  const last = feed.at(-1).id;
  const after = await ask(`/events?starting_after=${last}`, shop.a.test.sec);
  expect([after.status, after.error.code]).toEqual([400, "invalid_cursor"]);
  expect((await ask(`/orders/${first.id}`, shop.a.test.sec)).data.status).toBe("paid");
  expect((await ask(`/orders/${lost.id}`, shop.a.test.sec)).status).toBe(404);

  const pending = (await ask("/events?limit=100", shop.a.test.sec)).data;
  expect((await storefront.drainWebhooks()).delivered).toBe(pending.length);
  expect(sent.sort()).toEqual(pending.map(({ id }: { id: string }) => id).sort());
  expect(feed.slice(0, pending.length)).toEqual(pending);

  // The key of a request that the backup does not hold begins anew.
  const again = await ask("/checkout/sessions", shop.a.test.pub, {
    items: [{ product_id: shop.product.id, quantity: 1 }],
    success_url: returnUrl,
    cancel_url: returnUrl,
  });
  expect([again.status, again.headers["idempotent-replayed"]]).toEqual([201, undefined]);
  const token = again.data.checkout_url.split("/").at(-1);
  const { order } = await storefront.checkout.submit(token, {
    payment_method_id: shop.a.method_id,
  });
  // Numbers of orders and events that were lost are given again: ids are not.
  expect(order.number).toBeLessThanOrEqual(lost.number);
  expect(
    feed.map(({ data }: { data: { order?: { id: string } } }) => data.order?.id),
  ).not.toContain(order.id);
});
