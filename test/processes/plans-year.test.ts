import { describe, test } from "vitest";
import { endBanksAfterAll } from "../providers/pix/setup.ts";
import { endFakesAfterAll } from "../providers/stripe/setup.ts";
import { crashDatabases } from "../support/crash/databases.ts";
import { expectPlans, weeksOfPlans, yearOfPlans } from "../support/plans/expect-plans.ts";

endFakesAfterAll();
endBanksAfterAll();

describe.each(crashDatabases)("plans of every kind, on %s", (_name, open) => {
  test.each([
    ["six weeks", weeksOfPlans],
    ["a year of a hundred subscriptions", yearOfPlans],
  ])(
    "charge each period once for %s, and both providers have our books to the cent",
    { timeout: 3_000_000 },
    async (_length, story) => {
      const closing: (() => unknown)[] = [];
      const database = await open((work) => closing.push(work as () => unknown));
      await expectPlans({ database, ...story });
      for (const close of closing) await close();
    },
  );
});
