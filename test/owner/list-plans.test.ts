import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Storage } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { firstIdAt } from "../../src/domain/keys/ids.ts";
import { openSqlite } from "../support/open-sqlite.ts";
import { ownDatabase } from "../support/own-database.ts";
import {
  recordingDatabase,
  recordingPool,
  type Statement,
} from "../support/recorded-statements.ts";
import { keepStatistics } from "../support/statistics.ts";

// LIST_PLAN_ROWS=1000000 npx vitest run --project unit test/owner/list-plans.test.ts
const rows = Number(process.env["LIST_PLAN_ROWS"] ?? 10_000);
/**
 * At most 400 products have the word of the search. With more than 500, a search walks the
 * list, which has a page of matches soon.
 */
const wordEvery = Math.max(1_000, Math.ceil(rows / 400));
/** One row a minute. */
const stepMs = 60_000;
const now = rows * stepMs;
const where = { store_id: "str_A", livemode: false };

/** The ten letters that an id tells its time by. */
const timeOfId = (at: string): string =>
  Array.from({ length: 10 }, (_, index) => {
    const value = `cast(${at} / ${32 ** (9 - index)} % 32 as integer)`;
    return `substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ${value} + 1, 1)`;
  }).join(" || ");

/** Rows of a store whose rare states are one in a thousand. */
const fill = (series: string): readonly string[] => {
  const scope = `'str_A', 0`;
  const rare = "case when n % 1000 = 0 then";
  const at = `(cast(n as bigint) * ${stepMs})`;
  const sessionId = `'cs_' || ${timeOfId(at)} || n`;
  const created = `"created_at":' || ${at} || '`;
  return [
    `insert into orders (store_id, livemode, id, number, status, session_id, customer_id, updated_at, record)
      select ${scope}, 'ord_' || n, n, 'paid', ${sessionId}, 'cus_' || n, n,
        '{"id":"ord_' || n || '","number":' || n || ',"holds":"consumed","paid_at":' || ${at} || ',"coupon_id":' || ${rare} '"RARE"' else 'null' end || '}' from ${series}`,
    `insert into payment_attempts (store_id, livemode, id, order_id, gateway, state, created_at, record)
      select ${scope}, 'pay_' || n, 'ord_' || n, 'g', ${rare} 'unknown' else 'succeeded' end, ${at},
        '{"id":"pay_' || n || '",${created}}' from ${series}`,
    `insert into payments (store_id, livemode, gateway, account, payment_reference, id, attempt_id, order_id, record)
      select ${scope}, 'g', '', 'ref_' || n, 'pay_' || n, 'pay_' || n, 'ord_' || n, '{"id":"pay_' || n || '",${created}}' from ${series}`,
    `insert into refunds (store_id, livemode, order_id, id, reference, record)
      select ${scope}, 'ord_' || n, 'rf_' || n, 'r', '{"id":"rf_' || n || '","updated_at":' || ${at} || ',"state":"' || ${rare} 'pending' else 'succeeded' end || '"}' from ${series}`,
    `insert into disputes (store_id, livemode, order_id, id, record)
      select ${scope}, 'ord_' || n, 'dp_' || n, '{"id":"dp_' || n || '","order_id":"ord_' || n || '","updated_at":' || ${at} || ',"outcome":' || ${rare} 'null' else '"lost"' end || ',${created}}' from ${series}`,
    `insert into checkout_sessions (store_id, livemode, id, status, expires_at, record)
      select ${scope}, ${sessionId}, ${rare} 'complete' else 'open' end, ${at} + 1800000, '{"id":"' || ${sessionId} || '",${created}}' from ${series}`,
    `insert into subscriptions (store_id, livemode, id, status, customer_id, record)
      select ${scope}, 'sub_' || n, 'active', 'cus_1', '{"id":"sub_' || n || '","current_period_end":' || ${at} || '}' from ${series}`,
    `insert into events (store_id, livemode, id, sequence, type, created_at, body)
      select ${scope}, 'evt_' || n, n, ${rare} 'order.chargeback' else 'order.paid' end, ${at}, '{"data":{"order":{"id":"ord_' || n || '"}}}' from ${series}`,
    `insert into deliveries (store_id, livemode, endpoint_id, event_id, event_type, state, attempts, due_at, created_at, updated_at)
      select ${scope}, 'we_1', 'evt_' || n, 'order.paid', 'delivered', 1, ${at}, ${at}, ${at} from ${series}`,
    `insert into delivery_attempts (store_id, endpoint_id, event_id, attempt, started_at, duration_ms, error)
      select 'str_A', 'we_1', 'evt_' || n, 1, ${at}, 1, ${rare} null else 'http_status' end from ${series}`,
    // All sessions but the last hundred are counted.
    `insert into session_rollups (store_id, livemode, until, first_id)
      select ${scope}, ${at}, ${sessionId} from ${series} where n = ${rows - 100}`,
    `insert into hourly_stats (store_id, livemode, hour, kind, currency, count, amount)
      select ${scope}, cast(n as bigint) * 3600000, 'paid', 'BRL', 1, 1 from ${series}`,
    `insert into coupons (store_id, id, code, record)
      select 'str_A', 'cpn_' || n, 'CODE' || n, '{"id":"cpn_' || n || '","code":"CODE' || n || '"}' from ${series}`,
    `insert into customer_totals (store_id, livemode, customer_id, currency, orders, spent)
      select ${scope}, 'cus_' || n, 'BRL', 1, n from ${series}`,
    `insert into request_blocks (store_id, livemode, number, places, first_id, last_id, expires_at, entries)
      select ${scope}, n, 1, 'req_' || n, 'req_' || n, 1, '{}' from ${series}`,
    `insert into coupon_counters (store_id, livemode, coupon_id, used) select ${scope}, 'cpn_' || n, 1 from ${series}`,
    `insert into alerts (store_id, livemode, id, type, subject, data, created_at, acknowledged_at)
      select ${scope}, 'alr_' || n, 't', 's_' || n, '{}', n, ${rare} null else 1 end from ${series}`,
    `insert into audit_log (store_id, id, livemode, actor, action, subject_type, subject_id, fields, created_at)
      select 'str_A', 'aud_' || n, null, ${rare} 'rare' else 'usual' end, ${rare} 'keys.revoke' else 'orders.refund' end,
        'order', 'ord_' || n, '{}', ${at} from ${series}`,
    `insert into products (store_id, id, slug, position, active, name_folded, document_version, document_live, document_test, record)
      select 'str_A', 'prod_' || n, 'slug-' || n, 1, ${rare} 0 else 1 end,
        'thing ' || n || case when n % ${wordEvery} = 0 then ' rareword' else '' end, 1, '{}', '{}',
        '{"id":"prod_' || n || '","price":' || (n % 100) || ',${created}}' from ${series}`,
    `insert into stock (store_id, livemode, product_id, stock, held, counted)
      select 'str_A', 0, 'prod_' || n, ${rare} 0 else 1 end, 0, 1 from ${series}`,
  ];
};

/** Each list with every filter, from its beginning and from its middle, in a direction. */
async function readAll(storage: Storage, way: { readonly oldest_first?: true }): Promise<void> {
  const { lists, orders, webhooks, access, catalog, audit, stats } = storage;
  const half = Math.floor(rows / 2);
  const middle = half * stepMs;
  const page = { ...where, ...way, limit: 21 };
  const created = { created_from: middle, created_to: middle + 100 * stepMs };

  for (const after of [{}, { after: firstIdAt("cs", middle) }]) {
    expect(await lists.listSessions({ ...page, ...after, now })).toHaveLength(21);
    for (const status of ["open", "complete", "expired"] as const)
      await lists.listSessions({ ...page, ...after, now, status });
  }
  for (const after of [{}, { after: { created_at: middle, id: "z" } }]) {
    expect(await lists.listAttempts({ ...page, ...after })).toHaveLength(21);
    await lists.listAttempts({ ...page, ...after, state: "unknown" });
    await lists.listAttempts({ ...page, ...after, order_id: "ord_7", state: "failed" });
  }
  expect(await lists.listAttempts({ ...page, ...created })).toHaveLength(21);
  expect(await lists.listSessions({ ...page, ...created, now })).toHaveLength(21);

  const dispute = { after: { created_at: middle, order_id: "z", id: "z" } };
  for (const after of [{}, dispute]) {
    expect(await lists.listDisputes({ ...page, ...after })).toHaveLength(21);
    await lists.listDisputes({ ...page, ...after, status: "open" });
    await lists.listDisputes({ ...page, ...after, order_id: "ord_7", status: "won" });
  }

  for (const after of [{}, { after: { created_at: middle, sequence: half } }]) {
    expect(await lists.listEvents({ ...page, ...after })).toHaveLength(21);
    await lists.listEvents({ ...page, ...after, type: "order.chargeback" });
  }
  expect(await lists.listEvents({ ...page, order_id: "ord_7" })).toHaveLength(1);
  expect(await lists.listEvents({ ...page, ...created })).toHaveLength(21);
  await lists.findEvent(where, "evt_7");

  const moved = { from: middle, to: middle + 1_000 * stepMs };
  const { backOffice } = storage;
  for (const at of [moved.from, middle + 500 * stepMs]) {
    const after = at === moved.from ? {} : { after: { at, number: 1, id: "z", order_id: "z" } };
    const range = { ...moved, ...after };
    const paid = await backOffice.searchOrders({ ...page, paid: range });
    expect(paid.outcome === "listed" && paid.orders).toHaveLength(22);
    expect(await orders.listRefunds({ ...page, succeeded: range })).toHaveLength(22);
    expect(await lists.listDisputes({ ...page, lost: range })).toHaveLength(21);
  }

  expect(await lists.listDue({ ...page, before: middle })).toHaveLength(21);
  const period = { current_period_end: middle, id: "z" };
  expect(await lists.listDue({ ...page, before: now, after: period })).toHaveLength(21);
  await lists.listCouponUses({ ...page, coupon_id: "RARE", after: half });
  await lists.countCouponUses("str_A", ["RARE"]);
  await lists.countAttempts({ ...page, endpoint_id: "we_1", since: middle, limit: 100 });

  await orders.listRefunds({ ...page, state: "pending" });
  await orders.listRefunds({ ...page, after: "rf_5", order_id: "ord_7", state: "pending" });
  expect(await webhooks.listDeliveries({ ...page, event_id: "evt_7" })).toHaveLength(1);
  for (const state of ["pending", "exhausted", "skipped", "delivered"] as const)
    await webhooks.listDeliveries({ ...page, state });
  for (const more of [{}, { acknowledged: false }, { livemode: false, acknowledged: false }])
    await access.listAlerts("str_A", { before: `alr_${half}`, limit: 21, ...way, ...more });
  for (const after of [{}, { after: { created_at: middle, id: "z" } }]) {
    const log = { store_id: "str_A", limit: 21, ...way, ...after };
    expect(await audit.list(log)).toHaveLength(21);
    for (const rare of [{ actor: "rare" }, { action: "keys.revoke" }])
      await audit.list({ ...log, ...rare });
    const id = after.after && way.oldest_first ? `ord_${rows - 7}` : "ord_7";
    expect(await audit.list({ ...log, subject: { type: "order", id } })).toHaveLength(1);
  }
  expect(await audit.list({ store_id: "str_A", limit: 21, ...way, ...created })).toHaveLength(21);
  for (const after of [null, `cus_${half}`]) {
    const descending = way.oldest_first ? {} : ({ descending: true } as const);
    const customers = { limit: 21, after, ...descending };
    expect(await backOffice.listCustomers(where, customers)).toHaveLength(21);
    const spent_in = { spent_in: "BRL", limit: 21, ...descending };
    const place = after === null ? null : { spent: half, id: `cus_${half}` };
    expect(await backOffice.listCustomers(where, { ...spent_in, after: place })).toHaveLength(21);
    const coupons = { limit: 21, after: after && `cpn_${half}`, ...descending };
    expect(await catalog.listCoupons("str_A", coupons)).toHaveLength(21);
    const byCode = { ...coupons, by: "code", after: after && `CODE${half}` } as const;
    expect(await catalog.listCoupons("str_A", byCode)).toHaveLength(21);
  }
  const blocks = { ...where, ...way, before: null, now: 0, limit: 21 };
  await storage.requests.listBlocks(blocks);
  await storage.requests.listBlocks({ ...blocks, before: half });
  for (const more of [{}, { customer_id: "cus_1" }, { status: "active" as const }])
    await orders.listSubscriptions({ ...page, after: "sub_5", ...more });

  const counted = await stats.listHours({ ...where, from: 0, to: now, starts: [0] });
  const sessions = counted.rows.filter(({ kind }) => kind === "session_created");
  expect(sessions.reduce((sum, { count }) => sum + count, 0)).toBe(100);
  for (const more of [{}, { active: false }, { search: "rareword" }, { search: "rareword 5" }])
    await catalog.listProductRecords("str_A", { after: null, limit: 21, ...more });
  for (const by of ["position", "price", "-price", "newest", "oldest", "name", "-name"] as const) {
    const place = { price: 50, "-price": 50, newest: middle, oldest: middle };
    const name = `thing ${half}`;
    const last = { place: { position: 1, name, "-name": name, ...place }[by], id: `prod_${half}` };
    for (const after of [null, last]) {
      const page = { sorted: { by, after }, after: null, limit: 21 };
      expect(await catalog.listProductRecords("str_A", page)).toHaveLength(21);
      await catalog.listProductRecords("str_A", { ...page, search: "rareword" });
    }
  }
  for (const more of [{}, created, { status: "paid" as const }])
    await storage.backOffice.searchOrders({ ...page, ...more });
  const soldOut = { level: "sold_out", livemode: false } as const;
  for (const after of [null, `prod_${half}`])
    await catalog.listProductRecords("str_A", { after, limit: 2, stock: soldOut });
}

describe(`a back office's lists are read by index at ${rows} rows`, () => {
  test("on PostgreSQL", { timeout: 1_800_000 }, async () => {
    const schema = "lists";
    const { url: connectionString, drop } = await ownDatabase(`lists_${process.pid}`);
    const own = new pg.Pool({
      connectionString,
      max: 1,
      options: `-c search_path=${schema},public`,
    });
    onTestFinished(async () => {
      await own.end();
      await drop();
    });

    const statements: Statement[] = [];
    const storage = postgresStorage(recordingPool(own, statements), { schema });
    await storage.migrate();
    const tables = await keepStatistics(own, schema);
    for (const text of fill(`generate_series(1, ${rows}) as n`)) await own.query(text);
    await own.query(`vacuum analyze ${tables}`);
    statements.length = 0;
    await readAll(storage, {});
    await readAll(storage, { oldest_first: true });

    expect(statements.length).toBeGreaterThan(40);
    for (const { text, values } of statements) {
      const { rows: plans } = await own.query(`explain (analyze, buffers, format json) ${text}`, [
        ...values,
      ]);
      const [{ Plan: plan }] = plans[0]["QUERY PLAN"];
      const name = `${text} ${JSON.stringify(values)}`;
      expect.soft(scansOf(plan), name).toEqual([]);
      expect.soft(mostSorted(plan), name).toBeLessThanOrEqual(1_000);
      // A page and what is joined to it, or the 501 hits that a search looks at. A list that
      // was read whole would take thousands.
      const read = Number(plan["Shared Hit Blocks"]) + Number(plan["Shared Read Blocks"]);
      expect.soft(read, name).toBeLessThan(800);
    }
  });

  test("on SQLite", { timeout: 1_800_000 }, async () => {
    const database = openSqlite(":memory:");
    const texts = new Set<string>();
    const planOf = (text: string): string => {
      const holes = Array.from({ length: text.split("?").length - 1 }, () => null);
      const plan = database.prepare(`explain query plan ${text}`).all(...holes) as {
        readonly detail: string;
      }[];
      return plan.map(({ detail }) => detail).join("\n");
    };
    const storage = sqliteStorage(recordingDatabase(database, texts));
    await storage.migrate();
    const series = `(with recursive s(n) as (select 1 union all select n + 1 from s where n < ${rows}) select n from s)`;
    for (const text of fill(series)) database.exec(text);
    texts.clear();
    await readAll(storage, {});
    const undirected = (text: string): string => planOf(text).replace(/[<>]/g, "<");
    const newestFirst = new Set([...texts].map(undirected));
    const found = [...texts];
    texts.clear();
    await readAll(storage, { oldest_first: true });
    // From its other end an index is walked without one more step.
    for (const text of texts) expect(newestFirst, text).toContain(undirected(text));
    for (const text of found) texts.add(text);

    expect(texts.size).toBeGreaterThan(20);
    // The tables that are filled, by name or by alias. What is left are tables of a page.
    const scan =
      /^SCAN (t|o|p|e|orders|refunds|customer_totals|deliveries|delivery_attempts|alerts|products|subscriptions|checkout_sessions)\b/;
    for (const text of [...texts].filter((sent) => !sent.includes("sqlite_master"))) {
      const details = planOf(text).split("\n");
      const wholeScans = details.filter((detail) => scan.test(detail));
      expect(wholeScans, text).toEqual([]);
      if (text.includes("case when state in"))
        expect(details.join(), text).toContain("deliveries_by_state");
    }
    database.close();
  });
});

/** These have a row for each migration, or for each store and mode. */
const smallTables = ["migrations", "session_rollups"];

type Plan = Readonly<Record<string, unknown>>;

/** The tables that a plan reads from one end to the other. */
function scansOf(plan: Plan): readonly string[] {
  const inner = Array.isArray(plan["Plans"]) ? (plan["Plans"] as Plan[]) : [];
  const table = String(plan["Relation Name"]);
  const isScan = plan["Node Type"] === "Seq Scan" && !smallTables.includes(table);
  const own = isScan ? [table] : [];
  return [...own, ...inner.flatMap(scansOf)];
}

/** The most rows that a step of the plan sorts. */
function mostSorted(plan: Plan): number {
  const inner = Array.isArray(plan["Plans"]) ? (plan["Plans"] as Plan[]) : [];
  const given =
    plan["Node Type"] === "Sort" ? inner.map((each) => Number(each["Actual Rows"])) : [];
  return Math.max(0, ...given, ...inner.map(mostSorted));
}
