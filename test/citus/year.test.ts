import { test } from "vitest";
import { expectSameYear } from "../support/year/expect-year.ts";
import { connectionString } from "./postgres-url.ts";
import { openCitusOn } from "./storages.ts";

/** `YEAR_KILLS=50` kills more processes. */
const kills = Number(process.env["YEAR_KILLS"] ?? 6);

test("a test clock whose processes are killed gives the year that the host's own clock gives", {
  timeout: 900_000,
}, async () => {
  const { storage, schema } = await openCitusOn();
  const database = { database: connectionString, schema, distribute: "citus" as const, storage };
  await expectSameYear({ database, days: 366, kills, livesMs: 4_000, waits: false });
});
