import { describe, test } from "vitest";
import { crashDatabases } from "../support/crash/databases.ts";
import { expectSameYear } from "../support/year/expect-year.ts";

/** `YEAR_KILLS=50` kills more processes. */
const kills = Number(process.env["YEAR_KILLS"] ?? 10);

describe.each(crashDatabases)("a test clock whose processes are killed, on %s", (_name, open) => {
  test("gives a year the events, orders and charges that the host's own clock gives", {
    timeout: 600_000,
  }, async ({ onTestFinished }) => {
    const database = { ...(await open(onTestFinished)), distribute: null };
    await expectSameYear({ database, days: 366, kills, livesMs: 2_000, waits: false });
  });

  test("goes on once what a killed process held is free, in real time", {
    timeout: 900_000,
  }, async ({ onTestFinished }) => {
    const database = { ...(await open(onTestFinished)), distribute: null };
    await expectSameYear({ database, days: 62, kills: 3, livesMs: 1_000, waits: true });
  });
});
