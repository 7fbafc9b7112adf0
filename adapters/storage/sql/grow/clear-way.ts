import { setTimeout as wait } from "node:timers/promises";
import type { PostgresEngine } from "../engine/postgres/postgres-engine.ts";
import type { QueryGenerator } from "../engine/queries.ts";
import { run } from "../migrate/migrate.ts";

/** The name by which another connection finds the transaction of a step. */
const stepName = "vitrine distributes tables";
const everyMs = 30;

export const nameStep = (): QueryGenerator<readonly unknown[]> =>
  run("select set_config('application_name', $1, true)", [stepName]);

/**
 * Ends, while a step waits for a table's lock, the statements that wait behind it, and those that
 * hold the table and wait for something else: they are answered 503. With many buyers in one
 * store, who holds the table waits for the row of one who waits behind the step, for ever.
 */
export async function clearWay<T>(engine: PostgresEngine, step: () => Promise<T>): Promise<T> {
  let isRunning = true;
  const running = step().finally(() => {
    isRunning = false;
  });
  const clear = async (): Promise<void> => {
    while (isRunning) {
      await wait(everyMs);
      if (isRunning) await engine.writeUnlessBlocked(() => run(cancelBehind)).catch(() => {});
    }
  };
  const [result] = await Promise.all([running, clear()]);
  return result;
}

const cancelBehind = `select pg_cancel_backend(b.pid)::text as ended
  from pg_stat_activity as s join pg_stat_activity as b
    on s.pid = any(pg_blocking_pids(b.pid)) or b.pid = any(pg_blocking_pids(s.pid))
  where s.application_name = '${stepName}' and s.datname = current_database()
    and s.wait_event_type = 'Lock' and b.wait_event_type = 'Lock' and b.pid <> s.pid
    and clock_timestamp() - s.query_start > interval '100 ms'`;
