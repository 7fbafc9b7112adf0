import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { toNode } from "vitrine/node";
import { metricTable } from "../../src/http/metrics/table.ts";
import { freePort } from "../support/free-port.ts";
import { readText, root } from "../support/markdown.ts";
import { createShop } from "../support/shop.ts";

// These tests run Debian's `prometheus` and `promtool`, which CI installs.

const run = promisify(execFile);
const promtool = (args: readonly string[]) => run("promtool", args);
const token = "scrape-token";

test("the rules are right, and each alert fires in its case and in no other", async () => {
  await promtool(["check", "rules", join(root, "docs/observability/prometheus-rules.yml")]);
  const { stdout } = await promtool([
    "test",
    "rules",
    join(root, "test/prometheus/rules.test.yml"),
  ]);
  expect(stdout).toContain("SUCCESS");
});

const dashboard: {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
} = JSON.parse(readText("docs/observability/grafana.json"));
const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

const names = Object.values(metricTable).map(({ name }) => name);

test("the dashboard shows every metric of the table, and no other", () => {
  const text = expressions.join("\n");
  expect(names.filter((name) => !text.includes(name))).toEqual([]);
  const shown = new Set([...text.matchAll(/vitrine_\w+/g)].map(([name]) => name));
  const base = (name: string) => name.replace(/_(bucket|count)$/, "");
  expect([...shown].filter((name) => !names.some((known) => known === base(name)))).toEqual([]);
});

test("the guide lists the metrics of the table with their labels", () => {
  const guide = readText("docs/observability/README.md");
  const rows = [...guide.matchAll(/^\| `(vitrine_\w+)` \| ([^|]+) \|/gm)];
  const listed = rows.map(([, name, labels = ""]) => [
    name,
    [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label),
  ]);
  expect(listed).toEqual(Object.values(metricTable).map(({ name, labels }) => [name, labels]));
});

describe("Prometheus scrapes a storefront under load", () => {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-prometheus-"));
  const server = createServer();
  const stop = new AbortController();
  let prometheus: ChildProcess;
  let load: Promise<void>;
  let api: string;

  beforeAll(async () => {
    const shop = await createShop(memoryStorage(), {
      now: Date.now,
      metrics: { authorize: (request) => request.header("authorization") === `Bearer ${token}` },
    });
    load = exercise(shop, stop.signal);
    server.on("request", toNode(shop.storefront));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");

    const port = await freePort();
    api = `http://127.0.0.1:${port}/api/v1`;
    prometheus = startPrometheus(folder, port, (server.address() as AddressInfo).port);
  });

  afterAll(async () => {
    stop.abort();
    await load;
    const ended = once(prometheus, "exit");
    prometheus.kill("SIGKILL");
    await ended;
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });

  const count = async (expression: string): Promise<number> => {
    try {
      const reply = await fetch(`${api}/query?query=${encodeURIComponent(expression)}`);
      return (await reply.json()).data.result.length;
    } catch {
      // Prometheus does not listen yet.
      return 0;
    }
  };

  test("every metric of the table, and every expression of the dashboard, has a value", async () => {
    const series = Object.values(metricTable).map(({ name, type }) =>
      type === "histogram" ? `${name}_bucket` : name,
    );
    for (const expression of [...series, ...expressions]) {
      const asked = expression.replaceAll("$__rate_interval", "1m");
      const polled = { message: expression, timeout: 20_000 };
      await expect.poll(() => count(asked), polled).toBeGreaterThan(0);
    }
  }, 60_000);

  test("every rule is loaded and can be evaluated", async () => {
    const health = async (): Promise<readonly string[]> => {
      const reply = await fetch(`${api}/rules`);
      const [group] = (await reply.json()).data.groups;
      return group.rules.map((rule: { readonly health: string }) => rule.health);
    };
    const rules = readText("docs/observability/prometheus-rules.yml").match(/- alert:/g) ?? [];
    await expect.poll(health).toEqual(rules.map(() => "ok"));
  });
});

/** Sells and delivers until the signal aborts, beside refused calls and a relay. */
async function exercise(
  shop: Awaited<ReturnType<typeof createShop>>,
  signal: AbortSignal,
): Promise<void> {
  await shop.owner.endpoints.create({
    store_id: shop.a.id,
    livemode: false,
    url: "https://hooks.example.com/x",
    event_types: ["order.paid"],
  });
  const relay = shop.storefront.relayEvents({ consumer: "bus", signal, publish: () => {} });

  const body = { code: "SAVE10", items: [{ product_id: "prod_none", quantity: 1 }] };
  const { a } = shop;
  while (!signal.aborted) {
    await shop.buy({}, { ip: newAddress() });
    await shop.buy({}, { ip: newAddress() }, { input: { outcome: "decline" } });
    await shop.storefront.drainWebhooks();
    await shop.get("/products", { key: a.test.pub });
    await shop.call("POST", "/coupons/validate", { key: a.test.pub, body });
    await setTimeout(20);
  }
  await relay;
}

let addresses = 0;
/** Each buyer has an address, so that only the calls of one address are limited. */
const newAddress = (): string => {
  addresses += 1;
  return `10.0.${addresses >> 8}.${addresses & 255}`;
};

function startPrometheus(folder: string, port: number, target: number): ChildProcess {
  const config = {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: [join(root, "docs/observability/prometheus-rules.yml")],
    scrape_configs: [
      {
        job_name: "vitrine",
        metrics_path: "/v1/metrics",
        authorization: { credentials: token },
        static_configs: [{ targets: [`127.0.0.1:${target}`] }],
      },
    ],
  };
  const file = join(folder, "prometheus.yml");
  // JSON is YAML too.
  writeFileSync(file, JSON.stringify(config));

  return spawn(
    "prometheus",
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: "ignore" },
  );
}
