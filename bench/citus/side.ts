// This script makes paid checkouts in a process of its own.
import pg from "pg";
import { createStorefront, sandboxGateway } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { buyFor, neverUsed, openShop, type Rush, type Shop } from "../purchase.ts";

export interface Purchases extends Rush {
  readonly side: "checkouts on PostgreSQL" | "checkouts on Citus";
  readonly where: string;
  readonly stores: number;
}

async function checkoutsPerSecond(asked: Purchases): Promise<number> {
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
    // Warm up first: each connection makes its own plans, on Citus one for each shard.
    await buyFor(storefront, shops, { ...asked, seconds: asked.seconds / 2 });
    const { purchases, ms } = await buyFor(storefront, shops, asked);
    return (purchases / ms) * 1_000;
  } finally {
    await pool.end();
  }
}

const perSecond = await checkoutsPerSecond(JSON.parse(process.argv[2] ?? "") as Purchases);
process.send?.(perSecond);
process.disconnect?.();
