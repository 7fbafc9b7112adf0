import { CompiledQuery, sql } from "kysely";
import { isApiError } from "#core/contract/errors.ts";
import type { StorageReadiness, WriteRefusal } from "#core/storage/reads/gauges-store.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { isSchemaMissing, refusalOf } from "../engine/failures.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import { migrations } from "../schema/migrations/migrations.ts";
import { migrationTable } from "../schema/table-names.ts";

const newestMigration = Math.max(...migrations.map(({ id }) => id));

/** Says whether the database has this version's tables and can write. */
export async function readReadiness(engine: SqlEngine): Promise<StorageReadiness> {
  const clock = await engine.read(() => readClock(engine));
  const found = await findMigration(engine);
  const schema = { found, known: newestMigration };

  // A database that is still to be migrated may lack the table that is written.
  if (found < newestMigration) return { schema, clock, write_refusal: null };
  return { schema, clock, write_refusal: await findWriteRefusal(engine) };
}

function* readClock({ dialect }: SqlEngine): QueryGenerator<number | null> {
  const query = CompiledQuery.raw(`select ${dialect.nowMs} as now`);
  const [row] = yield* many(query as CompiledQuery<{ readonly now: number }>);
  return row?.now ?? null;
}

/** Finds the newest migration that ran: 0 where the tables are missing altogether. */
async function findMigration(engine: SqlEngine): Promise<number> {
  const select = sql<{ found: number | null }>`
    select max(id) as found from ${sql.table(migrationTable)}`;
  try {
    const row = await engine.read(() => one(select.compile(engine.db)));
    return row?.found ?? 0;
  } catch (error) {
    if (error instanceof Error && isSchemaMissing(error.cause)) return 0;
    throw error;
  }
}

const fillerBytes = 12_288;

/**
 * Writes a row and deletes it. The row needs pages of its own: a small one would find room in a
 * page that the table has, and be written on a full disk.
 */
async function findWriteRefusal(engine: SqlEngine): Promise<WriteRefusal | null> {
  const { db, dialect } = engine;
  const bucket = `readyz:${crypto.randomUUID()}`;
  const hits = Buffer.from(crypto.getRandomValues(new Uint8Array(fillerBytes))).toString("base64");

  try {
    await engine.writeRelaxed(function* (): QueryGenerator<void> {
      for (const text of dialect.needDisk) yield* many(CompiledQuery.raw(text));
      yield* many(db.insertInto("rate_buckets").values({ bucket, hits, updated_at: 0 }));
      yield* many(db.deleteFrom("rate_buckets").where("bucket", "=", bucket));
    });
    return null;
  } catch (error) {
    const refusal = isApiError(error) ? refusalOf(error.details.cause) : null;
    if (refusal === null) throw error;
    return refusal;
  }
}
