import { describe, test } from "vitest";
import { endBanksAfterAll } from "../providers/pix/setup.ts";
import { endFakesAfterAll } from "../providers/stripe/setup.ts";
import { crashDatabases } from "../support/crash/databases.ts";
import { expectPlans, weeksOfPlans } from "../support/plans/expect-plans.ts";

endFakesAfterAll();
endBanksAfterAll();

// A buyer of each kind. plans-year.test.ts has the year of a hundred.
describe.each(crashDatabases)("six weeks of plans of every kind, on %s", (_name, open) => {
  test("charge each period once, and both providers have our books to the cent", {
    timeout: 600_000,
  }, async () => {
    const closing: (() => unknown)[] = [];
    const database = await open((work) => closing.push(work as () => unknown));
    await expectPlans({ database, ...weeksOfPlans });
    for (const close of closing) await close();
  });
});
