import { CompiledQuery } from "kysely";
import type { SqlEngine } from "../engine.ts";
import { one } from "../queries.ts";
import type { PgPool } from "./postgres-client.ts";

interface Timeouts {
  /** Milliseconds after which a call ends with 503. Null means never. */
  readonly callTimeoutMs: number | null;
  readonly acquireTimeoutMs: number;
}

/** What the server says of itself. Zero means that a time is not limited. */
interface ServerSettings {
  readonly statement_ms: number;
  readonly idle_ms: number;
  readonly connections: number;
}

const select = `select
  (extract(epoch from current_setting('statement_timeout')::interval) * 1000)::bigint
    as statement_ms,
  (extract(epoch from current_setting('idle_in_transaction_session_timeout')::interval)
    * 1000)::bigint as idle_ms,
  current_setting('max_connections')::int
    - current_setting('superuser_reserved_connections')::int as connections`;

/** Names the settings under which a lost machine or a slow statement stops sales for longest. */
export async function findRisks(
  engine: SqlEngine,
  pool: PgPool,
  timeouts: Timeouts,
): Promise<readonly string[]> {
  const settings = await engine.read(() => one(CompiledQuery.raw(select)));
  // The query selects these columns.
  return risksOf(settings as ServerSettings, pool.options?.max, timeouts);
}

function risksOf(
  { statement_ms, idle_ms, connections }: ServerSettings,
  poolSize: number | undefined,
  { callTimeoutMs, acquireTimeoutMs }: Timeouts,
): readonly string[] {
  const risks: string[] = [];
  if (idle_ms === 0)
    risks.push(
      "PostgreSQL's idle_in_transaction_session_timeout is 0: a machine that is lost within a" +
        " transaction keeps its locks until TCP gives up, up to two hours. Set it to 30s.",
    );
  if (callTimeoutMs === null)
    risks.push(
      "callTimeoutMs is null: behind a server that does not answer, or a pooler that waits for" +
        " it, requests wait as long as TCP does.",
    );
  else if (statement_ms === 0 || statement_ms > callTimeoutMs)
    risks.push(
      `PostgreSQL's statement_timeout is ${statement_ms || "0, no limit"}: a statement goes on,` +
        ` and keeps its locks, after its call was 503 (callTimeoutMs, ${callTimeoutMs} ms).` +
        " Set it to 10s.",
    );
  if (callTimeoutMs !== null && acquireTimeoutMs >= callTimeoutMs)
    risks.push(
      `acquireTimeoutMs (${acquireTimeoutMs} ms) is not less than callTimeoutMs: a call that got` +
        " its connection late has no time left for its statements.",
    );
  if (poolSize !== undefined && poolSize > connections)
    risks.push(
      `The pool may open ${poolSize} connections, and PostgreSQL takes ${connections} in all.`,
    );
  return risks;
}
