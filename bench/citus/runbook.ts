// Tries what docs/scaling.md says of a cluster: a point in time restored on all nodes, a node more,
// and a node less. Makes a cluster of its own; PGBIN names the programs of a PostgreSQL with Citus.
// Run it with: npx tsx bench/citus/runbook.ts
import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { createStorefront } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { accepting, bank, buyFor, openShop, type Shop } from "../purchase.ts";
import { ask, makeBase, makeNode, type Node, ready, run, start, stop, urlOf } from "./cluster.ts";

const base = makeBase();
const coordinator = await makeNode(base, "coordinator");
const workers = [await makeNode(base, "worker1"), await makeNode(base, "worker2")];
const nodes = [coordinator, ...workers];
for (const node of nodes) await ask(node, "create extension citus");
await ask(coordinator, `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`);
const add = (node: Node) => ask(coordinator, `select citus_add_node('127.0.0.1', ${node.port})`);
for (const worker of workers) await add(worker);

const open = () => {
  const pool = new pg.Pool({ connectionString: urlOf(coordinator), max: 8 });
  pool.on("error", () => {});
  const storage = postgresStorage(pool, { distribute: "citus" });
  const storefront = createStorefront({
    storage,
    checkout: { baseUrl: "https://pay.example.com/c" },
    docsUrl: "https://docs.example.com/errors",
    gateways: [bank],
    transport: accepting,
    sealKey: new Uint8Array(32).fill(1),
    limits: { checkout: null },
    onError: () => {},
  });
  return { pool, storefront };
};
const timed = async <T>(work: () => Promise<T> | T): Promise<readonly [number, T]> => {
  const began = performance.now();
  const result = await work();
  return [Math.round(performance.now() - began), result];
};
const orders = async (): Promise<number> =>
  Number((await ask(coordinator, "select count(*) as n from orders"))[0]?.["n"]);

let host = open();
await host.storefront.migrate();
const shops: Shop[] = [];
for (let n = 0; n < 4; n += 1) shops.push(await openShop(host.storefront));
const rush = { atOnce: 4, seconds: 5 };

const [backupMs] = await timed(() => {
  for (const { name, port } of nodes)
    run(
      "pg_basebackup",
      "-h",
      "127.0.0.1",
      "-p",
      String(port),
      "-U",
      "postgres",
      "-D",
      join(base, `${name}-backup`),
      "-c",
      "fast",
    );
});
await buyFor(host.storefront, shops, rush);
const [pointMs] = await timed(() =>
  ask(coordinator, "select citus_create_restore_point('before')"),
);
const atPoint = await orders();
await buyFor(host.storefront, shops, rush);
const atEnd = await orders();
for (const node of nodes) await ask(node, "select pg_switch_wal()");
await host.pool.end();

for (const node of nodes) stop(node, "fast");
const [restoreMs] = await timed(async () => {
  for (const { name, folder } of nodes) {
    rmSync(folder, { recursive: true });
    const backup = join(base, `${name}-backup`);
    const log = join(base, `${name}-log`);
    appendFileSync(
      join(backup, "postgresql.conf"),
      `restore_command = 'cp ${log}/%f %p'\nrecovery_target_name = 'before'\n` +
        "recovery_target_action = 'promote'\narchive_mode = off\n",
    );
    appendFileSync(join(backup, "recovery.signal"), "");
    start({ folder: backup });
  }
  for (const node of nodes) await ready(node);
});
const restored = await orders();
console.log(
  `${nodes.length} nodes backed up in ${backupMs} ms, a restore point in ${pointMs} ms, restored in ` +
    `${restoreMs} ms: ${restored} orders of ${atPoint} at the point and ${atEnd} at the end`,
);

host = open();
const [migrateMs] = await timed(() => host.storefront.migrate());
const third = await makeNode(base, "worker3");
await ask(third, "create extension citus");
await add(third);
const bought = buyFor(host.storefront, shops, { atOnce: 4, seconds: 20 });
const [balanceMs] = await timed(async () => {
  await ask(coordinator, "select citus_rebalance_start(shard_transfer_mode => 'force_logical')");
  await ask(coordinator, "select citus_rebalance_wait()");
});
const { purchases } = await bought;
const shards = await ask(
  coordinator,
  `select nodeport as port, count(*)::int as shards from citus_shards
    where table_name = 'orders'::regclass group by nodeport order by 1`,
);
console.log(
  `migrate() after the restore took ${migrateMs} ms, a third node was filled in ${balanceMs} ms ` +
    `under ${purchases} purchases: ${shards.map((row) => row["shards"]).join(", ")} shards`,
);
const [drainMs] = await timed(() =>
  ask(coordinator, `select citus_drain_node('127.0.0.1', ${third.port}, 'force_logical')`),
);
await ask(coordinator, `select citus_remove_node('127.0.0.1', ${third.port})`);
console.log(`the third node was drained in ${drainMs} ms; ${await orders()} orders`);

await host.pool.end();
stop(third, "fast");
for (const { name } of nodes) stop({ folder: join(base, `${name}-backup`) }, "fast");
rmSync(base, { recursive: true });
