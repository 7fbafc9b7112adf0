import { test } from "vitest";
import { endBanksAfterAll } from "../../providers/pix/setup.ts";
import { endFakesAfterAll } from "../../providers/stripe/setup.ts";
import { expectPlans, yearOfPlans } from "../../support/plans/expect-plans.ts";
import { connectionString } from "../postgres-url.ts";
import { openCitusOn } from "../storages.ts";

endFakesAfterAll();
endBanksAfterAll();

test("a year of a hundred plans charges each period once, and both providers have our books", {
  timeout: 5_400_000,
}, async () => {
  const { storage, schema } = await openCitusOn();
  const database = { database: connectionString, schema, distribute: "citus" as const, storage };
  await expectPlans({ database, ...yearOfPlans });
});
