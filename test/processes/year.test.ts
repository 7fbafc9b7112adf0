import { describe, test } from "vitest";
import { crashDatabases } from "../support/crash/databases.ts";
import { expectSameYear } from "../support/year/expect-year.ts";

describe.each(crashDatabases)("a test clock whose processes are killed, on %s", (_name, open) => {
  test("gives two months the events, orders and charges that the host's own clock gives", {
    timeout: 180_000,
  }, async ({ onTestFinished }) => {
    const database = { ...(await open(onTestFinished)), distribute: null };
    await expectSameYear({ database, days: 62, kills: 2, livesMs: 500, waits: false });
  });
});
