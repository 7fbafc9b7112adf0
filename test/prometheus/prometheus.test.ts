import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { toNode } from "vitrine/node";
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

describe("Prometheus scrapes a storefront", () => {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-prometheus-"));
  const server = createServer();
  let prometheus: ChildProcess;
  let api: string;

  beforeAll(async () => {
    const shop = await createShop(memoryStorage(), {
      now: Date.now,
      metrics: { authorize: (request) => request.header("authorization") === `Bearer ${token}` },
    });
    await exercise(shop);
    server.on("request", toNode(shop.storefront));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");

    const port = await freePort();
    api = `http://127.0.0.1:${port}/api/v1`;
    prometheus = startPrometheus(folder, port, (server.address() as AddressInfo).port);
  });

  afterAll(async () => {
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

  test("every metric of the guide has a value", async () => {
    const guide = readText("docs/observability/README.md");
    const names = [...guide.matchAll(/^\| `(vitrine_\w+)`/gm)].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(10);

    for (const name of names) {
      const series = name.endsWith("_duration_seconds") ? `${name}_bucket` : name;
      await expect.poll(() => count(series), { message: series }).toBeGreaterThan(0);
    }
  });

  test("every rule is loaded and can be evaluated", async () => {
    const health = async (): Promise<readonly string[]> => {
      const reply = await fetch(`${api}/rules`);
      const [group] = (await reply.json()).data.groups;
      return group.rules.map((rule: { readonly health: string }) => rule.health);
    };
    await expect.poll(health).toEqual(Array.from({ length: 7 }, () => "ok"));
  });
});

/** Makes each sum begin: a sale, a webhook, and calls over their limit. */
async function exercise(shop: Awaited<ReturnType<typeof createShop>>): Promise<void> {
  await shop.owner.endpoints.create({
    store_id: shop.a.id,
    livemode: false,
    url: "https://hooks.example.com/x",
    event_types: ["order.paid"],
  });
  await shop.buy();
  await shop.storefront.drainWebhooks();

  const body = { code: "SAVE10", items: [{ product_id: "prod_none", quantity: 1 }] };
  for (let turn = 0; turn < 25; turn += 1)
    await shop.call("POST", "/coupons/validate", { key: shop.a.test.pub, body });
}

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
