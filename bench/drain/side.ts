// Runs one side of the drain in a process of its own.
import pg from "pg";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { postgresFill, sqliteFill } from "../fill.ts";
import { startProfile, stopProfile } from "../servers/profile.ts";
import { bareLoop } from "./bare.ts";
import { handWrittenBatch } from "./batch.ts";
import { graphileWorker } from "./graphile.ts";
import { vitrineDrain } from "./vitrine.ts";
import type { Work } from "./work.ts";

/** `where` names the database of a side that has one. */
export interface Asked {
  readonly side:
    | "vitrine on PostgreSQL"
    | "vitrine on Citus"
    | "vitrine on SQLite"
    | "graphile-worker"
    | "hand-written batch"
    | "bare loop";
  readonly where: string;
  readonly work: Work;
  readonly options: { readonly perEndpointConcurrency?: number };
  /** When it is true, the side answers with its own time by function instead of its speed. */
  readonly profile?: boolean;
}

async function run({ side, where, work, options }: Asked): Promise<number> {
  if (side === "bare loop") return bareLoop(work);
  if (side === "graphile-worker") return graphileWorker(where, work);
  if (side === "hand-written batch") return handWrittenBatch(where, work);
  if (side === "vitrine on SQLite")
    return vitrineDrain(sqliteStorage(where), sqliteFill(where), work, options);
  const pool = new pg.Pool({ connectionString: where, max: 10 });
  // The database may be dropped before the last connection has closed.
  pool.on("error", () => {});
  const fill = await postgresFill(where);
  try {
    return await vitrineDrain(
      postgresStorage(pool, {
        preparedStatements: true,
        ...(side === "vitrine on Citus" ? { distribute: "citus" } : {}),
      }),
      fill,
      work,
      options,
    );
  } finally {
    await fill.close();
    await pool.end();
  }
}

const asked = JSON.parse(process.argv[2] ?? "") as Asked;
if (asked.profile) await startProfile();
const perSecond = await run(asked);
process.send?.(asked.profile ? await stopProfile() : perSecond);
process.disconnect?.();
