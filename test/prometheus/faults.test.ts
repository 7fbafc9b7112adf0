import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memoryStorage, type StorefrontOptions, sandboxGateway } from "vitrine";
import type { PaymentGateway } from "vitrine/gateway";
import { toNode } from "vitrine/node";
import { postgresStorage } from "vitrine/postgres";
import { alertTypes } from "../../src/rules/owner/alert-types.ts";
import { createBank } from "../payments/bank.ts";
import { alertFaults, openTroubledShop } from "../support/alert-faults.ts";
import { freePort } from "../support/free-port.ts";
import { readText } from "../support/markdown.ts";
import { ownDatabase } from "../support/own-database.ts";
import { createShop, type Shop } from "../support/shop.ts";

// Each rule is made to fire by a fault, over real scrapes of processes that have it.

const rules = readText("docs/observability/prometheus-rules.yml");
const named = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = ""]) => name);
/** Nobody waits for minutes here: only how long a rule waits, and the age of a transaction. */
const impatient = rules
  .replace(/for: \d+[mh]$/gm, "for: 1s")
  .replace("oldest_transaction_seconds) > 900", "oldest_transaction_seconds) > 3");
const patience = { timeout: 40_000, interval: 500 };

const folder = mkdtempSync(join(tmpdir(), "vitrine-faults-"));
const servers: Server[] = [];
const seen = new Set<string>();
const bank = createBank(() => 0);
let own: Awaited<ReturnType<typeof ownDatabase>>;
let pool: pg.Pool;
let prometheus: ChildProcess;
let api = "";
/** The shop in memory, and the one on PostgreSQL. */
let shop: Shop;
let sql: Shop;
/** A shop in which all is well, in a process of its own. */
let spare: Shop;

/** Takes payments, and never tells what became of one that is to be silent. */
function silentGateway(): PaymentGateway {
  const { cancelPayment: _left, ...sandbox } = sandboxGateway();
  return {
    ...sandbox,
    createPayment: async (request) =>
      request.input["outcome"] === "silent"
        ? { status: "pending", reference: "r_1", amount: request.amount, currency: "BRL" }
        : sandbox.createPayment(request),
    async getPayment() {
      throw new Error("The provider does not answer.");
    },
  };
}

/** The third process: all is well in it until a shop in trouble takes its place. */
let third: RequestListener = () => {};

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A clock that runs, and that a test can turn. */
let offset = 0;
const options: Partial<StorefrontOptions> = {
  now: () => Date.now() + offset,
  metrics: { authorize: () => true },
  limits: { checkout: null },
};

beforeAll(async () => {
  own = await ownDatabase(`faults_${process.pid}`);
  pool = new pg.Pool({ connectionString: own.url, max: 6 });
  pool.on("error", () => {});
  const storage = postgresStorage(pool);
  await storage.migrate();
  shop = await createShop(memoryStorage(), { ...options, gateways: [bank.gateway] });
  sql = await createShop(storage, { ...options, gateways: [silentGateway()] });
  spare = await createShop(memoryStorage(), options);

  const port = await freePort();
  api = `http://127.0.0.1:${port}/api/v1`;
  writeFileSync(join(folder, "rules.yml"), impatient);
  third = toNode(spare.storefront);
  const targets = [
    await serve(toNode(shop.storefront)),
    await serve(toNode(sql.storefront)),
    await serve((req, res) => third(req, res)),
  ];
  const config = {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: ["rules.yml"],
    scrape_configs: [
      {
        job_name: "vitrine",
        metrics_path: "/v1/metrics",
        static_configs: [{ targets }],
      },
    ],
  };
  writeFileSync(join(folder, "prometheus.yml"), JSON.stringify(config));
  prometheus = spawn(
    "prometheus",
    [
      `--config.file=${join(folder, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: "ignore" },
  );
}, 60_000);

afterAll(async () => {
  const ended = once(prometheus, "exit");
  prometheus.kill("SIGKILL");
  await ended;
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  if (!pool.ended) await pool.end();
  await own.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(path: string): Promise<{ readonly [name: string]: unknown[] } | null> {
  try {
    return (await (await fetch(`${api}/${path}`)).json()).data;
  } catch {
    // Prometheus does not listen yet.
    return null;
  }
}

/** Lists the alerts that fire now. */
async function firing(): Promise<readonly string[]> {
  const alerts = ((await ask("alerts"))?.["alerts"] ?? []) as readonly {
    readonly state: string;
    readonly labels: { readonly alertname: string };
  }[];
  const names = alerts
    .filter(({ state }) => state === "firing")
    .map(({ labels }) => labels.alertname);
  for (const name of names) seen.add(name);
  return [...new Set(names)].sort();
}

const expectFiring = async (...names: readonly string[]): Promise<void> => {
  const missing = async () => {
    const now = await firing();
    return names.filter((name) => !now.includes(name));
  };
  await expect.poll(missing, patience).toEqual([]);
};

describe("each rule fires by a fault", { timeout: 120_000 }, () => {
  test("none fires while all is well", async () => {
    const up = async () => (await ask("query?query=up%3D%3D1"))?.["result"]?.length ?? 0;
    await expect.poll(up, patience).toBe(3);
    for (const one of [shop, sql]) {
      await one.buy();
      await one.get("/products", { key: one.a.test.pub });
    }
    await new Promise((done) => setTimeout(done, 5_000));
    expect(await firing()).toEqual([]);
  });

  test("for each type of alert that the host is told of, by the fault that raises it", async () => {
    const troubled = await openTroubledShop({ metrics: { authorize: () => true } });
    for (const fault of Object.values(alertFaults)) await fault?.(troubled);
    // A run tells the host of twenty alerts at most.
    for (let told = 0; told < 60; told += 20) await troubled.storefront.runMaintenance();
    third = toNode(troubled.storefront);

    const byType = [...rules.matchAll(/- alert: (\w+)\n +expr: .*type="(\w+)"/g)];
    // A payment in doubt and a late consumer have gauges; an endpoint that fails is disabled in the end.
    const without = ["consumer_failing", "endpoint_failing", "payment_in_doubt"];
    expect(byType.map(([, , type]) => type).sort()).toEqual(
      alertTypes.filter((type) => !without.includes(type)).sort(),
    );
    const names = byType.map(([, name = ""]) => name);
    await expectFiring(...names);

    // What fires from here on has a fault of its own. These rules look back for an hour.
    third = toNode(spare.storefront);
    const others = async () => (await firing()).filter((name) => !names.includes(name));
    await expect.poll(others, patience).toEqual([]);
    await troubled.storefront.close();
  });

  test("when drains, maintenance and a relay stand still, and a bank does not answer", async () => {
    const store = { store_id: shop.a.id, livemode: false };
    await shop.owner.endpoints.create({ ...store, url: "https://hooks.example.com/x" });
    const order = await shop.buy();
    bank.script.result = "pending";
    await shop.storefront.orders.refund(order.id, { ...store, reference: "r_1" });
    const unpaid = await shop.session();
    await shop.storefront.checkout.view(shop.tokenOf(unpaid));

    const stop = new AbortController();
    const relay = shop.storefront.relayEvents({
      consumer: "bus",
      signal: stop.signal,
      publish: () => Promise.reject(new Error("the broker is down")),
    });
    offset = 3 * 86_400_000;
    await expectFiring(
      "VitrineDrainStopped",
      "VitrineWebhooksLate",
      "VitrineMaintenanceStopped",
      "VitrineConsumerLate",
      "VitrineRefundsPending",
    );
    stop.abort();
    await relay;
  });

  test("when a gateway never gives a result", async () => {
    const made = await sql.session();
    await sql.storefront.checkout.submit(sql.tokenOf(made), {
      payment_method_id: sql.a.method_id,
      input: { outcome: "silent" },
    });
    offset += 3_600_000;
    await sql.storefront.runMaintenance();
    await expectFiring("VitrinePaymentsInDoubt");
  });

  test("when a transaction is forgotten, and one holds a table that buyers need", async () => {
    const forgotten = await pool.connect();
    await forgotten.query("begin; select 1 from products");
    await expectFiring("VitrineLongTransaction");

    await forgotten.query("lock table stores in access exclusive mode");
    const asked = Array.from({ length: 4 }, () => sql.get("/products", { key: sql.a.test.pub }));
    await new Promise((done) => setTimeout(done, 2_500));
    await forgotten.query("rollback");
    forgotten.release();
    await Promise.all(asked);
    await expectFiring("VitrineSlow");
  });

  test("when the database is gone, and a process is", async () => {
    await pool.end();
    const until = performance.now() + 5_000;
    while (performance.now() < until) {
      expect((await sql.get("/products", { key: sql.a.test.pub })).status).toBe(503);
      await new Promise((done) => setTimeout(done, 100));
    }
    servers[2]?.close();
    servers[2]?.closeAllConnections();
    await expectFiring("VitrineStorageDown", "VitrineServerErrors", "VitrineTargetDown");
  });

  test("and no rule was left out", () =>
    expect(named.filter((name) => !seen.has(name))).toEqual([]));
});
