import { createStorefront, type Storage } from "vitrine";
import { nodeTransport } from "vitrine/transport";
import type { Fill } from "../fill.ts";
import { bodyText, perSecond, urlOf, type Work } from "./work.ts";

/** Opens a storefront whose due posts are spread evenly over `work.endpoints` endpoints. */
export async function vitrineDrain(
  storage: Storage,
  fill: Fill,
  work: Work,
  options: { perEndpointConcurrency?: number },
): Promise<number> {
  const { perStore = 50 } = work;
  const transport = nodeTransport({ allowTargets: [work.origin], warn: () => {} });
  const storefront = createStorefront({
    storage,
    checkout: { baseUrl: "https://pay.example.com/c" },
    docsUrl: "https://docs.example.com/errors",
    sealKey: new Uint8Array(32).fill(1),
    transport,
  });
  try {
    await storefront.migrate();
    for (let at = 0; at < work.endpoints; at += perStore) {
      const { id: store_id } = await storefront.owner.stores.create({
        name: `Store ${at}`,
        currency: "BRL",
      });
      for (let index = at; index < Math.min(at + perStore, work.endpoints); index++)
        await storefront.owner.endpoints.create({
          store_id,
          livemode: false,
          url: urlOf(work, index),
        });
    }
    await fillQueue(fill, work);
    return await perSecond(work.posts, async () => {
      const report = await storefront.drainWebhooks({ ...options, maxDurationMs: 300_000 });
      if (report.delivered !== work.posts)
        throw new Error(`Delivered ${report.delivered} of ${work.posts}.`);
    });
  } finally {
    transport.close();
    await storage.close();
  }
}

/** Fills the queue of all endpoints. `due` is the SQL of the time at which post `n` is due. */
export async function fillQueue(
  fill: Fill,
  { posts, endpoints }: Pick<Work, "posts" | "endpoints">,
  due = String(Date.now()),
): Promise<void> {
  const id = `'evt_' || ${fill.pad("n", 26)}`;
  const body = `'{"id":"' || ${id} || '","type":"order.paid","data":{"text":"${bodyText}"}}'`;
  const numbered = `select store_id, id, row_number() over (order by id) - 1 as at
    from webhook_endpoints`;
  const from = `from ${fill.series(1, posts)}
    join (${numbered}) as e on e.at = n % ${endpoints}`;

  await fill.exec(`insert into events (store_id, livemode, id, sequence, type, created_at, body)
    select e.store_id, 0, ${id}, n, 'order.paid', ${due}, ${body} ${from}`);
  await fill.exec(`insert into deliveries (store_id, livemode, endpoint_id, event_id, event_type,
      state, attempts, due_at, created_at, updated_at)
    select e.store_id, 0, e.id, ${id}, 'order.paid',
      'pending', 0, ${due}, ${due}, ${due} ${from}`);
  await fill.analyze();
}
