import { timeBox } from "#core/domain/async/time-box.ts";
import { minuteMs } from "#core/domain/durations.ts";
import { end } from "../../../frame/command.ts";
import { type Check, type Examined, type Finding, found, type Pool } from "./check.ts";
import { findMissingIndexes } from "./missing-indexes.ts";

/** Looks at the settings of PostgreSQL, by the pool that the configuration exports. */
export const postgresChecks: readonly Check[] = [
  onPool("encoding", async (pool) => {
    const encoding = await show(pool, "server_encoding");
    return found(
      encoding !== "UTF8",
      `The database's encoding is ${encoding}.`,
      "Make a database with `encoding 'UTF8'`, and move the tables there.",
    );
  }),
  onPool("search path", async (pool, { host }) => {
    if (host.schema !== undefined) return [];
    const path = await show(pool, "search_path");
    const { rows } = await pool.query("select current_schema() as name");
    return found(
      rows[0]?.["name"] === null,
      `No schema of the search path (${path}) exists.`,
      "Name the schema of the tables in the option `schema`, or correct search_path.",
    );
  }),
  onPool("isolation", async (pool) => {
    const level = await show(pool, "default_transaction_isolation");
    return found(
      level !== "read committed",
      `Transactions begin as ${level}.`,
      "Take default_transaction_isolation off the role, the database or the pool: each step is" +
        " written for read committed, and others fail under load.",
    );
  }),
  onPool("pool size", async (pool) => {
    const max = pool.options?.max ?? 10;
    return found(
      max < 3,
      `The pool has ${max} connections at most.`,
      "Give the pool `max: 10`: requests, webhooks and maintenance work at once.",
    );
  }),
  onPool("indexes", async (pool, { host }) => {
    const { rows } = await pool.query(
      `select c.relname as name
       from pg_index as i join pg_class as c on c.oid = i.indexrelid
       where c.relnamespace::regnamespace::text = quote_ident(coalesce($1::text, current_schema()))
         and not i.indisvalid`,
      [host.schema ?? null],
    );
    const names = rows.map(({ name }) => String(name));
    const unused = found(
      names.length > 0,
      `PostgreSQL does not use ${names.join(", ")}: no build of it has ended well.`,
      "Where none is at work now, run `reindex index concurrently` for it, or drop a copy whose" +
        " name ends with _ccnew.",
    );
    return [...unused, ...(await findMissingIndexes(pool, host.schema))];
  }),
  {
    name: "transactions",
    async run({ host, now }) {
      const { oldest_transaction_at: since } = await host.parts.storage.gauges.read(now());
      const minutes = since === null ? 0 : Math.round((now() - since) / minuteMs);
      return found(
        minutes > 10,
        `A transaction is open for ${minutes} minutes: dead rows stay, and tables grow.`,
        "Find it by `select pid, application_name, xact_start from pg_stat_activity`, and end it" +
          " by `select pg_terminate_backend(pid)`.",
      );
    },
  },
  onPool("autovacuum", async (pool) => {
    const setting = await show(pool, "autovacuum");
    return found(
      setting !== "on",
      "Autovacuum is off: dead rows stay, and the planner's statistics become old.",
      "Run: alter system set autovacuum = on; select pg_reload_conf();",
    );
  }),
  onPool("statistics", async (pool, { host }) => {
    const { rows } = await pool.query(
      `select relname as name from pg_stat_user_tables
       where schemaname = coalesce($1::text, current_schema())
         and n_live_tup > 1000 and last_analyze is null and last_autoanalyze is null`,
      [host.schema ?? null],
    );
    const names = rows.map(({ name }) => String(name));
    return found(
      names.length > 0,
      `The planner has no statistics of ${names.join(", ")}.`,
      "Run `analyze`, and leave autovacuum on: without statistics it reads whole tables.",
    );
  }),
];

function onPool(
  name: string,
  run: (pool: Pool, examined: Examined) => Promise<readonly Finding[]>,
): Check {
  return {
    name,
    async run(examined) {
      const { database } = examined.host;
      if (isPool(database)) return run(impatient(database), examined);
      return "is for PostgreSQL: it needs the `pg` pool as `database` of the configuration";
    },
  };
}

const answerMs = 5_000;

/** Makes a pool whose queries fail in time: a pool waits for ever where no option limits it. */
const impatient = (pool: Pool): Pool => ({
  ...(pool.options && { options: pool.options }),
  query: (text, values) =>
    timeBox(pool.query(text, values), answerMs, () =>
      end("unreachable", `PostgreSQL did not answer within ${answerMs} ms.`),
    ),
});

const isPool = (database: unknown): database is Pool =>
  typeof database === "object" && database !== null && "connect" in database && "query" in database;

async function show(pool: Pool, setting: string): Promise<string> {
  const { rows } = await pool.query(`select current_setting('${setting}') as value`);
  return String(rows[0]?.["value"]);
}
