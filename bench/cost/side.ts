// This script does one kind of work in a process of its own, a slice each time it is asked. It is
// bundled with the sources of the working tree and with those of an older commit.
import { createStorefront, memoryStorage, type Storage } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { accepting, bank, openShop, type Rush } from "../purchase.ts";
import { openWork, type WorkName } from "./work.ts";

export interface Settings {
  readonly work: WorkName;
  readonly kind: "memory" | "sqlite" | "postgres";
  /** The file or the address of the database. */
  readonly where: string;
}

/** A wish of the bench: a slice, or what must be there before it. */
export interface Wish {
  readonly step: "prepare" | "run";
  readonly rush: Rush;
}

export interface Slice {
  readonly pieces: number;
  readonly ms: number;
  /** The processor time of this process. */
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
  gateways: [bank],
  transport: accepting,
  sealKey: new Uint8Array(32).fill(1),
  answerCacheBytes: 0, // A read from the cache would cost the storage nothing.
  accessCacheMs: 0,
});
await storefront.migrate();
const work = await openWork(settings.work, storefront, await openShop(storefront));

async function answer({ step, rush }: Wish): Promise<Slice> {
  const started = performance.now();
  const before = process.cpuUsage();
  const pieces = await work[step](rush);
  const { user, system } = process.cpuUsage(before);
  return { pieces, ms: performance.now() - started, cpu_ms: (user + system) / 1_000 };
}

process.on("message", (wish: Wish) => void answer(wish).then((done) => process.send?.(done)));
process.on("disconnect", () => process.exit()); // The bench has ended.
process.send?.("ready");
