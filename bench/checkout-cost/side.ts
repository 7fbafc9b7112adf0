// This script makes whole purchases in a process of its own, a slice each time it is asked. It is
// bundled with the sources of the working tree and with those of an older commit.
import { createStorefront, memoryStorage, type Storage, sandboxGateway } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { type Bought, buyFor, neverUsed, openShop, type Rush } from "../purchase.ts";

export interface Settings {
  readonly kind: "memory" | "sqlite" | "postgres";
  /** It is the file or the address of the database. */
  readonly where: string;
}

export interface Slice extends Bought {
  /** It is the processor time of this process. */
  readonly cpu_ms: number;
}

const settings = JSON.parse(process.argv[2] ?? "") as Settings;

async function openStorage({ kind, where }: Settings): Promise<Storage> {
  if (kind === "memory") return memoryStorage();
  if (kind === "sqlite") return sqliteStorage(where);

  const { default: pg } = await import("pg");
  return postgresStorage(new pg.Pool({ connectionString: where, max: 16 }), {
    preparedStatements: true,
  });
}

const storefront = createStorefront({
  storage: await openStorage(settings),
  checkout: { baseUrl: "https://pay.example.com/c" },
  docsUrl: "https://docs.example.com/errors",
  gateways: [sandboxGateway()],
  transport: neverUsed,
  sealKey: new Uint8Array(32).fill(1),
});
await storefront.migrate();
const shops = [await openShop(storefront)];

async function slice(rush: Rush): Promise<Slice> {
  const before = process.cpuUsage();
  const bought = await buyFor(storefront, shops, rush);
  const { user, system } = process.cpuUsage(before);
  return { ...bought, cpu_ms: (user + system) / 1_000 };
}

process.on("message", (rush: Rush) => void slice(rush).then((done) => process.send?.(done)));
process.on("disconnect", () => process.exit()); // The bench has ended.
process.send?.("ready");
