// This script makes paid checkouts in a process of its own.
import pg from "pg";
import { createStorefront } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { bank, buyFor, buyWhile, neverUsed, openShop, type Shop } from "../purchase.ts";
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
    gateways: [bank],
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
    const { purchases, ms } = await buyFor(storefront, shops, asked);
    const cpu = before.map(([name, pid, at]) => [
      name,
      ((cpuSeconds(pid) - at) / purchases) * 1_000,
    ]);
    return { perSecond: (purchases / ms) * 1_000, cpu: Object.fromEntries(cpu) };
  } finally {
    await pool.end();
  }
}

const purchased = await measureCheckouts(JSON.parse(process.argv[2] ?? "") as Purchases);
process.send?.(purchased);
process.disconnect?.();
