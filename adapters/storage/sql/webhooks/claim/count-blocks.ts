import type { CompiledQuery } from "kysely";
import type { SqlEngine } from "../../engine/engine.ts";
import { one } from "../../engine/queries.ts";

/**
 * Runs a read again and counts the blocks that PostgreSQL reads for it. Where Citus splits it, the
 * count is that of the shard which reads most, of those that the database tells about.
 */
export async function countBlocks(engine: SqlEngine, query: CompiledQuery): Promise<number> {
  const sql = `explain (analyze, timing off, buffers, format json) ${query.sql}`;
  const row = await engine.read(() => one<Record<string, unknown>>({ ...query, sql }));
  const plan = row?.["QUERY PLAN"];
  return mostBlocks(typeof plan === "string" ? JSON.parse(plan) : plan);
}

/** A step of a plan counts the blocks of the steps below it too. */
function mostBlocks(found: unknown): number {
  if (typeof found !== "object" || found === null) return 0;

  const own = (name: string): number => Number((found as Record<string, unknown>)[name] ?? 0);
  const blocks = own("Shared Hit Blocks") + own("Shared Read Blocks");
  return Math.max(blocks, ...Object.values(found).map(mostBlocks));
}
