import pg from "pg";
import { postgresStorage } from "vitrine/postgres";

/** Distributes the tables of a schema, until it is killed or done. */
const [connectionString = "", schema = ""] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 2, options: "-c citus.shard_count=4" });
await postgresStorage(pool, { schema, distribute: "citus" }).migrate();
await pool.end();
process.disconnect();
