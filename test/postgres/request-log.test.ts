import pg from "pg";
import { expect, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { mostPlaces } from "../../src/rules/request-log/request-log.ts";
import { postgresUrl } from "../support/postgres-url.ts";
import { recordingPool, type Statement } from "../support/recorded-statements.ts";

const databaseUrl = await postgresUrl();

test("a block of the request log is written, and the oldest ones deleted, by one statement, once", async () => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const schema = `request_log_${process.pid}`;
  const sent: Statement[] = [];
  const storage = postgresStorage(recordingPool(pool, sent), { schema });
  await storage.migrate();
  const shop = { store_id: "str_1", livemode: true };
  const append = (id: string, places: number) =>
    storage.requests.append({
      ...shop,
      first_id: id,
      last_id: id,
      places,
      expires_at: 2_000,
      entries: "[]",
    });
  const numbers = async () => {
    const query = { ...shop, before: null, limit: 9, now: 1_000 };
    const blocks = await storage.requests.listBlocks(query);
    return blocks.map(({ number, last_id }) => [number, last_id]);
  };

  await append("req_1", 1);
  await append("req_2", mostPlaces - 2);
  sent.length = 0;
  await append("req_3", 2);
  // The recording client is a new object each time, and a new client is asked for its isolation.
  expect(sent.filter(({ text }) => !text.includes("transaction_isolation"))).toHaveLength(1);

  // A repeated call whose answer was lost changes nothing.
  await append("req_3", 2);
  expect(await numbers()).toEqual([
    [mostPlaces - 1, "req_3"],
    [1, "req_2"],
  ]);
  await pool.query(`drop schema "${schema}" cascade`);
  await pool.end();
});
