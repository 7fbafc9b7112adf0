import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStorefront } from "vitrine";
import { sqliteStorage } from "vitrine/sqlite";
import { nodeTransport } from "vitrine/transport";
import { signWebhook } from "vitrine/webhooks";
import { createIds } from "../src/domain/ids.ts";
import { fixtures } from "../src/testing/conformance/case.ts";
import { alternate } from "./measure.ts";
import type { Row } from "./results.ts";

const posts = 6_000;

/** Signed posts to one receiver, attempt log on, against a loop that signs and posts and writes nothing down. */
export async function benchDrain({ rounds }: { readonly rounds: number }): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
  const receiver = createServer((req, res) => {
    req.resume();
    req.on("end", () => res.writeHead(204).end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const body = JSON.stringify({ id: "evt_1", text: "x".repeat(1_000) });
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });

  const bare = async (): Promise<number> => {
    const started = performance.now();
    let left = posts;
    const worker = async (): Promise<void> => {
      while (left-- > 0) {
        const signature = await signWebhook({ rawBody: body, secret: "whsec_x", timestamp: 1 });
        await new Promise<void>((resolve, reject) => {
          const headers = { "content-type": "application/json", "X-Service-Signature": signature };
          const sent = request(`${origin}/x`, { method: "POST", agent, headers }, (res) => {
            res.resume();
            res.on("end", resolve);
          });
          sent.on("error", reject);
          sent.end(body);
        });
      }
    };
    await Promise.all(Array.from({ length: 32 }, worker));
    return (posts / (performance.now() - started)) * 1000;
  };

  let serial = 0;
  const drained = async (): Promise<number> => {
    const storage = sqliteStorage(join(folder, `${++serial}.sqlite`));
    const storefront = createStorefront({
      storage,
      checkout: { baseUrl: "https://pay.example.com/c" },
      docsUrl: "https://docs.example.com/errors",
      sealKey: new Uint8Array(32).fill(1),
      transport: nodeTransport({ allowTargets: [origin], warn: () => {} }),
    });
    await storefront.migrate();
    const newId = createIds({ now: Date.now, randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)) });
    const context = { storage, clock: { now: Date.now, advance: () => {} }, newId, assert };
    const { shop, openSession, completion, partition } = fixtures(context);
    await shop();
    await storefront.owner.endpoints.create({ ...partition, url: `${origin}/x` });
    for (let made = 0; made < posts; made += 300)
      await Promise.all(Array.from({ length: 100 }, async () => storage.orders.completeSession(completion(await openSession())))); // three events each
    const started = performance.now();
    const report = await storefront.drainWebhooks({ perEndpointConcurrency: 32, maxDurationMs: 120_000 });
    const took = performance.now() - started;
    if (report.delivered !== posts) throw new Error(`Delivered ${report.delivered} of ${posts}.`);
    await storage.close();
    return (posts / took) * 1000;
  };
  try {
    const perSecond = await alternate(rounds, { "vitrine, SQLite": drained, "bare loop": bare });
    return [{ work: `drain of ${posts} signed posts, one endpoint, 32 open`, perSecond, base: "bare loop" }];
  } finally {
    agent.destroy();
    receiver.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
