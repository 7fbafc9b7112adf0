import { describe, test } from "vitest";
import { endBanksAfterAll } from "../providers/pix/setup.ts";
import { endFakesAfterAll } from "../providers/stripe/setup.ts";
import { crashDatabases } from "../support/crash/databases.ts";
import { expectPlans, yearOfPlans } from "../support/plans/expect-plans.ts";

endFakesAfterAll();
endBanksAfterAll();

describe.each(crashDatabases)("a year of a hundred subscriptions, on %s", (_name, open) => {
  test("charges each period once, and both providers have our books to the cent", {
    timeout: 3_000_000,
  }, async () => {
    const closing: (() => unknown)[] = [];
    const database = await open((work) => closing.push(work as () => unknown));
    await expectPlans({ database, ...yearOfPlans });
    for (const close of closing) await close();
  });
});
