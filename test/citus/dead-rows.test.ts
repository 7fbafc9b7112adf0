import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import {
  claimAt,
  expectAllFound,
  expectFoundBetweenLooks,
  expectNextWork,
  fillBesideReader,
  latencyMs,
  now,
} from "../support/dead-rows.ts";
import { recordingPool, type Statement } from "../support/recorded-statements.ts";
import { connectionString } from "./postgres-url.ts";
import { openCitusOn } from "./storages.ts";

/** Opens a storage beside a transaction that stays open on the node of the store. */
async function openBesideReader() {
  const { schema } = await openCitusOn();
  const statements: Statement[] = [];
  const pool = new pg.Pool({
    connectionString,
    max: 6,
    options: `-c search_path=${schema},public`,
  });
  const storage = postgresStorage(recordingPool(pool, statements, latencyMs), {
    schema,
    distribute: "citus",
  });
  const reader = await fillBesideReader(pool);
  onTestFinished(async () => {
    reader.release(true);
    await pool.end();
  });
  return { storage, pool, statements };
}

test("every delivery is found beside a transaction that stays open", async () => {
  const { storage, pool } = await openBesideReader();
  await expectAllFound(storage, pool);
});

test("what became due between two claims is found, of an endpoint that had nothing", async () => {
  const { storage, pool } = await openBesideReader();
  await expectFoundBetweenLooks(storage, pool);
});

test("the next work is found beside a transaction that stays open", async () => {
  const { storage, pool } = await openBesideReader();
  await expectNextWork(storage, pool);
});

test("claims go on behind the known places once a whole look has walked dead rows", async () => {
  const { storage, statements } = await openBesideReader();
  await claimAt(storage, now);
  await claimAt(storage, now);
  const looks = statements.filter(({ text }) =>
    /select e\.store_id, e\.id as endpoint_id/.test(text),
  );
  expect(looks.map(({ text }) => /json_to_recordset/.test(text)).at(-1)).toBe(true);
});
