import { expect, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { createShop, start } from "../support/shop.ts";
import { plansOf, recording, type Sent } from "./plans.ts";
import { openCitusOn } from "./storages.ts";

test("each statement of the back office about a store runs on one shard", async () => {
  const { pool, schema } = await openCitusOn();
  const sent: Sent[] = [];
  const storage = postgresStorage(recording(pool, sent), { schema, distribute: "citus" });
  const shop = await createShop(storage);
  const partition = { store_id: shop.a.id, livemode: false };
  const { owner } = shop;
  const endpoint = await owner.endpoints.create({
    ...partition,
    url: "https://hooks.example.com/",
  });
  const { id: order_id } = (await shop.buy()) ?? { id: "" };

  sent.length = 0;
  const lists = [
    owner.orders,
    owner.payments,
    owner.refunds,
    owner.disputes,
    owner.sessions,
    owner.subscriptions,
    owner.events,
    owner.customers,
    owner.requests,
  ];
  for (const { list } of lists) await list(partition);
  await owner.alerts.list(partition.store_id);
  await owner.orders.list({ ...partition, search: "buyer@example.com" });
  await owner.orders.timeline({ ...partition, order_id });
  await owner.endpoints.health(partition, endpoint.id);
  await owner.deliveries.list({ ...partition, endpoint_id: endpoint.id });
  await owner.audit.list({ store_id: partition.store_id });
  await owner.stats({ ...partition, from: start, to: start + 86_400_000, interval: "hour" });
  for (const kind of ["orders", "payments", "products", "customers", "events"] as const)
    for await (const bytes of (await owner.export(kind, { ...partition, format: "jsonl" })).body)
      expect(bytes.length).toBeGreaterThan(0);

  const plans = await plansOf(pool, sent);
  expect(plans.filter(({ tasks }) => tasks > 1).map(({ text }) => text)).toEqual([]);
  expect(plans.filter(({ isPulled }) => isPulled)).toEqual([]);
  expect(plans.filter(({ tasks }) => tasks === 1).length).toBeGreaterThan(20);
});
