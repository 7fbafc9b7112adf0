// Prints what each statement of a paid checkout takes of the processor, on the coordinator of a
// Citus cluster of this machine and on its workers together.
// Run it with: TEST_CITUS_URL=postgres://… npx tsx bench/citus/statements.ts
import pg from "pg";
import { createStorefront, sandboxGateway } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { buyWhile, neverUsed, openShop } from "../purchase.ts";
import { backendsOf, cpuNanoseconds, serversOf } from "./cpu.ts";

const warmUp = 120;
const measured = 300;

interface Cost {
  runs: number;
  coordinator: number;
  workers: number;
}

const url = process.env["TEST_CITUS_URL"];
if (!url) throw new Error("Set TEST_CITUS_URL to the coordinator of a cluster on this machine.");

const schema = `statements_${process.pid}`;
const costs = new Map<string, Cost>();
let backends: { readonly coordinator: number[]; readonly workers: number[] } | null = null;

// One connection, so that whatever a backend does while a statement runs belongs to it.
const pool = new pg.Pool({ connectionString: url, max: 1 });
pool.on("connect", (client) => {
  const query = client.query.bind(client) as (query: pg.QueryConfig) => Promise<pg.QueryResult>;
  const timed = async (asked: pg.QueryConfig): Promise<pg.QueryResult> => {
    if (!backends) return query(asked);

    const coordinator = cpuNanoseconds(backends.coordinator);
    const workers = cpuNanoseconds(backends.workers);
    const result = await query(asked);
    const cost = costs.get(asked.text) ?? { runs: 0, coordinator: 0, workers: 0 };
    cost.runs += 1;
    cost.coordinator += cpuNanoseconds(backends.coordinator) - coordinator;
    cost.workers += cpuNanoseconds(backends.workers) - workers;
    costs.set(asked.text, cost);
    return result;
  };
  Object.assign(client, { query: timed });
});

const storefront = createStorefront({
  storage: postgresStorage(pool, { schema, distribute: "citus", preparedStatements: true }),
  checkout: { baseUrl: "https://pay.example.com/c" },
  docsUrl: "https://docs.example.com/errors",
  gateways: [sandboxGateway()],
  transport: neverUsed,
  sealKey: new Uint8Array(32).fill(1),
});

const buy = async (count: number): Promise<void> => {
  let left = count;
  await buyWhile(storefront, shops, 1, () => left-- > 0);
};

await storefront.migrate();
const shops = [await openShop(storefront), await openShop(storefront)];
await buy(warmUp);

const servers = await serversOf(url);
const ofCoordinator = servers.get("coordinator") ?? 0;
const ofWorkers = [...servers.values()].filter((pid) => pid !== ofCoordinator);
backends = { coordinator: backendsOf([ofCoordinator]), workers: backendsOf(ofWorkers) };
await buy(measured);
backends = null;

const perCheckout = (nanoseconds: number): string => (nanoseconds / measured / 1e6).toFixed(2);
const sums = { runs: 0, coordinator: 0, workers: 0 };
console.log("| statement | times | coordinator, ms | workers, ms |\n| --- | ---: | ---: | ---: |");
for (const [text, { runs, coordinator, workers }] of costs) {
  const times = Math.round(runs / measured);
  if (times === 0) continue; // it belongs to no checkout

  sums.runs += times;
  sums.coordinator += coordinator;
  sums.workers += workers;
  const name = text.replace(/\s+/g, " ").replaceAll(`"${schema}".`, "").replaceAll("|", "/");
  console.log(
    `| ${name.trim().slice(0, 70)} | ${times} | ${perCheckout(coordinator)} | ${perCheckout(workers)} |`,
  );
}
console.log(
  `| all | ${sums.runs} | ${perCheckout(sums.coordinator)} | ${perCheckout(sums.workers)} |`,
);

await pool.end();
const admin = new pg.Client(url);
await admin.connect();
await admin.query(`drop schema ${schema} cascade`);
await admin.end();
