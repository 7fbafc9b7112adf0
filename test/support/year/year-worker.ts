// A process of a host that turns a test clock, or sends webhooks and maintains meanwhile.
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { createStorefront, sandboxGateway } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { nodeTransport } from "vitrine/transport";
import type { YearJob, YearNews } from "./job.ts";
import { sealKey } from "./seal-key.ts";

const job: YearJob = JSON.parse(process.argv[2] ?? "");
const { database, schema, store_id, receiver } = job;
let { ahead } = job;
process.on("message", (news: YearNews) => {
  ahead = news.ahead;
});

const storage = database.startsWith("postgres")
  ? postgresStorage(new pg.Pool({ connectionString: database, max: 4 }), {
      schema,
      ...(job.distribute && { distribute: job.distribute }),
    })
  : sqliteStorage(database);
const storefront = createStorefront({
  storage,
  checkout: { baseUrl: "https://shop.example.com/pay" },
  docsUrl: "https://shop.example.com/errors",
  gateways: [sandboxGateway()],
  transport: nodeTransport({ allowTargets: [receiver] }),
  sealKey,
  now: () => Date.now() + ahead,
});

async function advance(): Promise<void> {
  const { testClock } = storefront.owner;
  for (;;) {
    const { status, offset_ms } = await testClock.retrieve(store_id);
    if (status === "ready" && offset_ms >= job.offset) return;

    const ms = status === "ready" ? job.offset - offset_ms : 0;
    await testClock.advance({ store_id, ms });
  }
}

async function keep(): Promise<void> {
  for (;;) {
    await storefront.runMaintenance();
    await storefront.drainWebhooks();
    await sleep(20);
  }
}

process.send?.("ready");
await (job.work === "advance" ? advance() : keep());
process.exit(0);
