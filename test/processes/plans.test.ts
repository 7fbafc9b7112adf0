import { test } from "vitest";
import { endBanksAfterAll } from "../providers/pix/setup.ts";
import { endFakesAfterAll } from "../providers/stripe/setup.ts";
import { crashDatabases } from "../support/crash/databases.ts";
import { expectPlans, weeksOfPlans } from "../support/plans/expect-plans.ts";

endFakesAfterAll();
endBanksAfterAll();

// The year, and PostgreSQL, are tried by plans-year.test.ts: here is a buyer of each kind.
test.each(crashDatabases.slice(0, 1))(
  "six weeks of plans of every kind charge each period once, and both providers have our books, on %s",
  { timeout: 180_000 },
  async (_name, open) => {
    const database = await open(() => {});
    await expectPlans({ database, ...weeksOfPlans });
  },
);
