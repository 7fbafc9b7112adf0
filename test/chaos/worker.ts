// A webhook worker of a platform. It drains in a loop until it is told to end, or is killed.
import pg from "pg";
import { createStorefront } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { nodeTransport } from "vitrine/transport";

const [kind = "", where = "", schema = "", target = "", schedule = "[]"] = process.argv.slice(2);
const pool = kind === "postgres" ? new pg.Pool({ connectionString: where, max: 4 }) : null;
pool?.on("error", () => {});
const storefront = createStorefront({
  storage: pool ? postgresStorage(pool, { schema }) : sqliteStorage(where),
  checkout: { baseUrl: "https://pay.example.com/c" },
  docsUrl: "https://docs.example.com/errors",
  sealKey: new Uint8Array(32).fill(3),
  transport: nodeTransport({ allowTargets: [target], warn: () => {} }),
  webhooks: { scheduleMs: JSON.parse(schedule), leaseMs: 20_000 },
});

const ending = new AbortController();
process.once("SIGTERM", () => ending.abort());
process.send?.({ ready: true });
await storefront.runWebhookLoop({
  signal: ending.signal,
  // The receiver answers at once, but not always gets its turn on a busy machine.
  timeoutMs: 5_000,
  maxDurationMs: 8_000,
  concurrency: 16,
  perEndpointConcurrency: 8,
});
process.exit(0);
