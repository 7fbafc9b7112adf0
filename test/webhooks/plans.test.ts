import pg from "pg";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import type { Storage } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { openSqlite } from "../support/open-sqlite.ts";
import { ownDatabase } from "../support/own-database.ts";
import {
  nodesOf,
  recordingDatabase,
  recordingPool,
  type Statement,
} from "../support/recorded-statements.ts";
import { keepStatistics } from "../support/statistics.ts";

const store_id = "str_A";
const now = 1_000_000;

/** A hundred endpoints with some due rows each, one with a great many (`stuck`) that are due, and a long history. */
const fill = (stuck: number, rows: (from: number, to: number) => string) => `
  insert into webhook_endpoints (store_id, livemode, id, state, record)
    select '${store_id}', 0, 'we_' || n, 'enabled', '{"id":"we_' || n || '","store_id":"${store_id}","livemode":false,"url":"https://a.example.com/","secrets":[]}'
    from ${rows(1000, 1100)};
  insert into events (store_id, livemode, id, sequence, type, created_at, body)
    select '${store_id}', 0, 'evt_' || n, n, 'order.paid', n, '{}' from ${rows(1, stuck)};
  insert into deliveries (store_id, livemode, endpoint_id, event_id, event_type, state, attempts, due_at, created_at, updated_at)
    select '${store_id}', 0, 'we_1000', 'evt_' || n, 'order.paid', 'pending', 0, n, n, n from ${rows(1, stuck)};
  insert into deliveries (store_id, livemode, endpoint_id, event_id, event_type, state, attempts, due_at, created_at, updated_at)
    select '${store_id}', 0, 'we_' || (1001 + n % 100), 'evt_' || n, 'order.paid', case when n / 100 % 10 = 0 then 'pending' else 'delivered' end, 1, n, n, n
    from ${rows(1, stuck)}`;

const large = /^(deliveries|events|delivery_attempts)$/;

/** Every statement of a drain's life, as the engine makes them. */
async function exercise(storage: Storage): Promise<void> {
  const { webhooks } = storage;
  const claim = {
    now,
    lease_until: now + 60_000,
    lease_token: "t",
    limit: 100,
    per_endpoint: 4,
    after_endpoint: "we_1050",
  };
  const { deliveries } = await webhooks.claimDeliveries({
    ...claim,
    quota_by_endpoint: { we_1000: 0, we_1001: 50 },
  });
  expect(deliveries.length).toBe(100);
  const log = { started_at: now, duration_ms: 1, status: 500, error: "http_status", snippet: null };
  const settle = deliveries.slice(0, 32).map(({ endpoint_id, event_id }, index) => ({
    ...{
      store_id,
      endpoint_id,
      event_id,
      lease_token: "t",
      delivered: index % 2 === 0,
      due_at: now + 60_000,
      alert_id: "alr_1",
      log,
    },
  }));
  expect((await webhooks.settleDeliveries(settle, now)).outcomes).toEqual(
    settle.map(({ delivered }) => (delivered ? "delivered" : "rescheduled")),
  );
  expect(await webhooks.findDestinations(["we_1000", "we_1001", "we_none"])).toHaveLength(2);
  await webhooks.releaseDeliveries(deliveries.slice(32), "t", now);
  expect(await webhooks.findNextWork(now)).toEqual({ next_due: 1, notices: false });
}

describe("a claim is found by index: its cost does not grow with anybody's queue", async () => {
  const own = await ownDatabase(`plans_${process.pid}`);
  const pool = new pg.Pool({ connectionString: own.url, max: 2 });
  afterAll(async () => {
    await pool.end();
    await own.drop();
  });

  // To a planner, reading all of 5,000 looks cheap, and at 30,000 any index of the store does.
  test.each([5_000, 30_000, 60_000])(
    "on PostgreSQL, %i stuck, without statistics, with them, with those of an hour when nothing was pending, and vacuumed after it",
    async (stuck) => {
      const schema = `stuck_${stuck}`;
      const statements: Statement[] = [];
      const storage = postgresStorage(recordingPool(pool, statements), { schema });
      await storage.migrate();
      const client = await pool.connect();
      onTestFinished(() => client.release());
      const tables = await keepStatistics(client, schema);
      await client.query(`set search_path to "${schema}"`);
      await client.query(fill(stuck, (from, to) => `generate_series(${from}, ${to}) as n`));
      const statistics = {
        none: "",
        current: `analyze ${tables}`,
        idle: `create table queue as select endpoint_id, event_id from deliveries where state = 'pending';
        update deliveries set state = 'delivered' where state = 'pending'; vacuum analyze deliveries;
        update deliveries as d set state = 'pending' from queue as q where d.endpoint_id = q.endpoint_id and d.event_id = q.event_id`,
        // The old statistics stay, but the sizes of the indexes are known.
        vacuumed: "vacuum (index_cleanup on) deliveries",
      };
      for (const [name, prepare] of Object.entries(statistics)) {
        for (const text of prepare.split(";")) await client.query(text);
        statements.length = 0;
        await exercise(storage);
        const own = statements.filter(
          ({ text }) => !/^(begin|commit|explain|\s*insert)/.test(text),
        );
        expect(own.length, "a few statements a batch").toBeLessThanOrEqual(14);
        for (const { text, values } of own) {
          await client.query("begin");
          const explained = await client.query(`explain (analyze, buffers, format json) ${text}`, [
            ...values,
          ]);
          await client.query("rollback");
          const [{ Plan: plan }] = explained.rows[0]["QUERY PLAN"];
          const scans = nodesOf(plan).filter(
            (node) => node["Node Type"] === "Seq Scan" && large.test(String(node["Relation Name"])),
          );
          expect(
            scans.map((node) => node["Relation Name"]),
            text,
          ).toEqual([]);
          // To read all rows of the one endpoint would touch as many pages as it has rows.
          const mostPages = /as next_due/.test(text) ? 50 : 4_000;
          expect(
            Number(plan["Shared Hit Blocks"]) + Number(plan["Shared Read Blocks"]),
            `${name}: ${text}`,
          ).toBeLessThan(mostPages);
        }
      }
    },
  );

  test("on SQLite", async () => {
    const database = openSqlite(":memory:");
    const statements = new Set<string>();
    const storage = sqliteStorage(recordingDatabase(database, statements));
    await storage.migrate();
    for (const statement of fill(
      20_000,
      (from, to) =>
        `(with recursive s(n) as (select ${from} union all select n + 1 from s where n < ${to}) select n from s)`,
    ).split(";"))
      database.exec(statement);
    for (const analyzed of [false, true]) {
      if (analyzed) database.exec("analyze");
      statements.clear();
      await exercise(storage);
      for (const text of statements) {
        const count = text.split("?").length - 1;
        const plan = database
          .prepare(`explain query plan ${text}`)
          .all(...Array.from({ length: count }, () => null)) as {
          detail: string;
        }[];
        expect(
          plan
            .map(({ detail }) => detail)
            .filter(
              (detail) =>
                /^SCAN (deliveries|d|events|delivery_attempts)\b(?!.*INDEX deliveries_next)/.test(
                  detail,
                ) ||
                (/TEMP B-TREE/.test(detail) && /outlook|next_due/.test(text)),
            ),
          text,
        ).toEqual([]);
      }
    }
    database.close();
  });
});
