// This script makes paid checkouts in a process of its own.
import pg from "pg";
import { createStorefront, type Storefront, sandboxGateway, type WebhookTransport } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { cpuSeconds, serversOf } from "./cpu.ts";

export interface Purchases {
  readonly side: "checkouts on PostgreSQL" | "checkouts on Citus";
  readonly where: string;
  readonly stores: number;
  /** How many buyers pay at the same time. */
  readonly atOnce: number;
  /** How many checkouts are made before the measurement. */
  readonly warmUp: number;
  readonly seconds: number;
}

export interface Purchased {
  readonly perSecond: number;
  /** Holds the milliseconds of processor time that a checkout takes on each server of the cluster. */
  readonly cpu: Readonly<Record<string, number>>;
}

interface Shop {
  readonly store_id: string;
  readonly key: string;
  readonly product_id: string;
  readonly method_id: string;
}

/** Endpoints exist so that each event gets deliveries, but nothing sends them here. */
const neverUsed: WebhookTransport = {
  check: async () => ({ ok: true }),
  send: () => Promise.reject(new Error("Nothing drains.")),
};

const returnUrl = "https://shop.example.com/ok";

async function measureCheckouts(asked: Purchases): Promise<Purchased> {
  const pool = new pg.Pool({ connectionString: asked.where, max: asked.atOnce });
  pool.on("error", () => {});
  const storefront = createStorefront({
    storage: postgresStorage(pool, {
      preparedStatements: true,
      ...(asked.side === "checkouts on Citus" ? { distribute: "citus" } : {}),
    }),
    checkout: { baseUrl: "https://pay.example.com/c" },
    docsUrl: "https://docs.example.com/errors",
    gateways: [sandboxGateway()],
    transport: neverUsed,
    sealKey: new Uint8Array(32).fill(1),
  });
  try {
    await storefront.migrate();
    const shops: Shop[] = [];
    for (let n = 0; n < asked.stores; n += 1) shops.push(await openShop(storefront));
    let left = asked.warmUp;
    await buyWhile(storefront, shops, asked.atOnce, () => left-- > 0);

    const servers = asked.side === "checkouts on Citus" ? await serversOf(asked.where) : new Map();
    const before = [...servers].map(([name, pid]) => [name, pid, cpuSeconds(pid)] as const);
    const started = performance.now();
    const seconds = (): number => (performance.now() - started) / 1_000;
    const paid = await buyWhile(storefront, shops, asked.atOnce, () => seconds() < asked.seconds);
    const cpu = before.map(([name, pid, at]) => [name, ((cpuSeconds(pid) - at) / paid) * 1_000]);
    return { perSecond: paid / seconds(), cpu: Object.fromEntries(cpu) };
  } finally {
    await pool.end();
  }
}

async function openShop({ owner }: Storefront): Promise<Shop> {
  const { id: store_id } = await owner.stores.create({ name: "Store", currency: "BRL" });
  await owner.stores.update(store_id, { headless_enabled: true });
  const { key } = await owner.keys.create({ store_id, livemode: false, kind: "secret" });
  await owner.returnUrls.add(store_id, returnUrl);
  const method = await owner.paymentMethods.create(store_id, {
    type: "pix",
    name: "Pix",
    currencies: ["BRL"],
    gateway: "sandbox",
  });
  const product = await owner.products.create(store_id, {
    name: "Shirt",
    price: 1_000,
    currency: "BRL",
  });
  await owner.endpoints.create({
    store_id,
    livemode: false,
    url: "https://hooks.example.com/in",
  });
  return { store_id, key, product_id: product.id, method_id: method.id };
}

let serial = 0;

/** Buys at `atOnce` places until `goesOn` says no, and gives the number of purchases. */
async function buyWhile(
  storefront: Storefront,
  shops: readonly Shop[],
  atOnce: number,
  goesOn: () => boolean,
): Promise<number> {
  let paid = 0;
  const buyer = async (): Promise<void> => {
    while (goesOn()) {
      const shop = shops[serial++ % shops.length];
      if (shop) await buy(storefront, shop);
      paid += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, buyer));
  return paid;
}

async function buy(storefront: Storefront, shop: Shop): Promise<void> {
  const number = serial++;
  const headers: Readonly<Record<string, string>> = {
    authorization: `Bearer ${shop.key}`,
    "content-type": "application/json",
    "idempotency-key": `key-${number}`,
  };
  const body = JSON.stringify({
    items: [{ product_id: shop.product_id, quantity: 1 }],
    success_url: returnUrl,
    cancel_url: returnUrl,
  });
  const reply = await storefront.serve({
    method: "POST",
    target: "/v1/checkout/sessions",
    ip: `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
    header: (name) => headers[name],
    body: async () => new TextEncoder().encode(body),
  });
  if (reply?.status !== 201 || typeof reply.body !== "string")
    throw new Error(`The session was answered with ${reply?.status}.`);

  const token = JSON.parse(reply.body).data.checkout_url.split("/").at(-1);
  const { order } = await storefront.checkout.submit(token, { payment_method_id: shop.method_id });
  if (order?.status !== "paid") throw new Error("The order is not paid.");
}

const purchased = await measureCheckouts(JSON.parse(process.argv[2] ?? "") as Purchases);
process.send?.(purchased);
process.disconnect?.();
