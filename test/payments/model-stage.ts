import pg from "pg";
import type { Storage } from "vitrine";
import { modelProvider } from "../support/model-provider.ts";
import { postgresSocketUrl } from "../support/postgres-url.ts";
import { createShop, type Shop } from "../support/shop.ts";

export const pieces = 3;

/** Two machines of one shop, whose clocks are two seconds apart, and the provider. */
export async function openStage(storage: Storage) {
  const provider = modelProvider();
  const gateways = [provider.gateway];
  const shop = await createShop(storage, { limits: { checkout: null }, gateways });
  const behind = { gateways, now: () => shop.now() - 2_000 };
  const other = await createShop(storage, behind);
  const where = { store_id: shop.a.id, livemode: false };

  await shop.owner.products.update(shop.a.id, shop.product.id, { stock: pieces });
  const card = await shop.owner.paymentMethods.create(shop.a.id, {
    type: "card",
    name: "Card",
    currencies: ["BRL"],
    gateway: "sandbox",
  });
  return {
    provider,
    shop,
    where,
    machines: [shop.storefront, other.storefront],
    methods: [shop.a.method_id, card.id],
    sessions: [await shop.session(), await shop.session()],
    hasTransactions: storage.joinsTransactions,
  };
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

export const ordersOf = async (shop: Shop) =>
  (await shop.get("/orders?limit=100", { key: shop.a.test.sec })).body.data;

let pool: pg.Pool | undefined;

/** How the host's own transaction around a step ends. */
export type HostTransaction = "none" | "commit" | "rollback";

/** Runs a step inside a transaction of the host's own, where the storage has transactions. */
export async function inTransaction<T>(
  { hasTransactions }: Stage,
  ending: HostTransaction,
  step: (options: { readonly client?: pg.PoolClient }) => Promise<T>,
): Promise<T> {
  if (ending === "none" || !hasTransactions) return step({});

  pool ??= new pg.Pool({
    connectionString: await postgresSocketUrl(),
    max: 4,
    allowExitOnIdle: true,
  });
  const client = await pool.connect();
  try {
    await client.query("begin");
    const result = await step({ client });
    await client.query(ending);
    return result;
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}
