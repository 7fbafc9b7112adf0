// A shop in a process of its own, for test/attack/descriptors.test.ts. It serves on a port, drains
// its webhooks when it is told to, and tells what it has seen.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createStorefront, isApiError } from "vitrine";
import { toNode } from "vitrine/node";
import { sqliteStorage } from "vitrine/sqlite";
import { nodeTransport } from "vitrine/transport";

const [databaseFile = "", hooks = ""] = process.argv.slice(2);
const hookUrls = hooks.split(",");

const transport = nodeTransport({
  allowTargets: hookUrls.map((url) => new URL(url).origin),
  warn: () => {},
});
let shortages = 0;
const errors: string[] = [];
const storefront = createStorefront({
  storage: sqliteStorage(databaseFile),
  checkout: { baseUrl: "https://pay.example.com/c" },
  docsUrl: "https://docs.example.com/errors",
  sealKey: new Uint8Array(32).fill(3),
  limits: { checkout: null },
  transport: {
    ...transport,
    async send(post) {
      const sent = await transport.send(post);
      if (sent.error === "local_shortage") shortages += 1;
      return sent;
    },
  },
  onError: (error, where) => void errors.push(`${where}: ${error}`),
});
const server = createServer(toNode(storefront));
// The attack must find its connection open, however slow the machine is.
server.keepAliveTimeout = 120_000;
let shop: Awaited<ReturnType<typeof open>> | undefined;

async function open() {
  await storefront.migrate();
  const { owner } = storefront;
  const { id: store_id } = await owner.stores.create({ name: "A", currency: "BRL" });
  await owner.stores.update(store_id, { headless_enabled: true });
  const where = { store_id, livemode: false };
  const { key } = await owner.keys.create({ ...where, kind: "publishable" });
  const return_url = "https://a.example.com/ok";
  await owner.returnUrls.add(store_id, return_url);
  const product = await owner.products.create(store_id, {
    name: "P",
    price: 1_000,
    currency: "BRL",
  });
  for (const url of hookUrls)
    await owner.endpoints.create({ ...where, url, event_types: ["order.paid"] });

  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return { where, key, return_url, product_id: product.id, port };
}

/** One paid order: an event for each endpoint. A second try with the same reference goes on. */
async function sell(reference: string): Promise<void> {
  const { where, key, return_url, product_id } = shop ?? (await open());
  const response = await storefront.handler(
    new Request("http://host/v1/checkout/sessions", {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": reference,
      },
      body: JSON.stringify({
        items: [{ product_id, quantity: 1 }],
        success_url: return_url,
        cancel_url: return_url,
      }),
    }),
    { ip: "203.0.113.9" },
  );
  if (response.status === 503) throw new Error(unavailable);

  const { data } = await response.json();
  await storefront.checkout.complete(data.id, {
    ...where,
    reference,
    status: "paid",
    amount: 1_000,
    currency: "BRL",
  });
}

const unavailable = "service_unavailable";

const isUnavailable = (error: unknown): boolean =>
  isApiError(error) ? error.code === unavailable : String(error).includes(unavailable);

/** Gives the sales that the database refused: it may need a file of its own for them. */
async function sellAll(references: readonly string[]): Promise<readonly string[]> {
  const refused: string[] = [];
  for (const reference of references)
    await sell(reference).catch((error: unknown) => {
      if (!isUnavailable(error)) throw error;
      refused.push(reference);
    });
  return refused;
}

/** Drains until nothing is due, as the loop of a host does, and adds the reports up. */
async function drainAll(concurrency: number) {
  const sum = { delivered: 0, rescheduled: 0, exhausted: 0, lease_lost: 0 };
  for (let more = true; more; ) {
    const options = { concurrency, maxDurationMs: 60_000 };
    const report = await storefront.drainWebhooks(options).catch((error: unknown) => {
      if (!isUnavailable(error)) throw error;
      return null;
    });
    if (report) {
      for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += report[name];
      more = report.more;
    } else await new Promise((done) => void setTimeout(done, 50));
  }
  return sum;
}

/** The state of each delivery, and how often it was attempted. */
async function deliveries() {
  const { where } = shop ?? (await open());
  const found: { readonly state: string; readonly attempts: number }[] = [];
  let starting_after: string | undefined;
  do {
    const page = await storefront.owner.deliveries.list({
      ...where,
      limit: 100,
      ...(starting_after && { starting_after }),
    });
    found.push(...page.data.map(({ state, attempts }) => ({ state, attempts })));
    starting_after = page.next_cursor ?? undefined;
  } while (starting_after);
  return found;
}

type Task =
  | { readonly act: "open" | "seen" | "deliveries" }
  | { readonly act: "sell"; readonly references: readonly string[] }
  | { readonly act: "drain"; readonly concurrency: number };

async function run(task: Task): Promise<unknown> {
  if (task.act === "open") {
    shop = await open();
    return { port: shop.port, key: shop.key };
  }
  if (task.act === "seen") return { shortages, errors };
  if (task.act === "drain") return drainAll(task.concurrency);
  if (task.act === "sell") return sellAll(task.references);
  return deliveries();
}

process.on("message", ({ id, task }: { readonly id: number; readonly task: Task }) => {
  run(task).then(
    (result) => process.send?.({ id, result }),
    (error: unknown) => process.send?.({ id, error: `${task.act}: ${error}` }),
  );
});
process.on("disconnect", () => process.exit());
process.send?.({ ready: true });
