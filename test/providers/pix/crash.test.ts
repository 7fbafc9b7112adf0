import { describe, test } from "vitest";
import { crashDatabases } from "../../support/crash/databases.ts";
import { type CrashRun, expectEqualBooks } from "../../support/crash/purchases.ts";
import { heldOf, receivePix } from "./books.ts";
import { callbackSecret } from "./fake-bank.ts";
import { endBanksAfterAll, gatewayOf, judgedBank } from "./setup.ts";

endBanksAfterAll();

/** `npm test` makes a few purchases; PIX_PURCHASES=1000 makes a thousand on each database. */
const purchases = Number(process.env["PIX_PURCHASES"] ?? 20);

const open: CrashRun["open"] = async ({ now, notify }) => {
  const bank = await judgedBank({
    now,
    deliver: (message) => notify({ gateway: "pix", ...message }),
  });
  const { baseUrl, outbox } = bank;

  return {
    worker: "test/providers/pix/crash-worker.ts",
    job: { baseUrl, account: bank.account(), callback: { secret: callbackSecret } },
    types: ["pix"],
    outbox,
    gateway: (clock) => gatewayOf(bank, { now: clock }),
    /** A buyer who has read the code before can pay it once more. */
    payLater() {
      for (const charge of bank.books().charges.values())
        if (Math.random() < 0.3) receivePix(bank.books(), charge);
    },
    held: () => new Map([...bank.books().received].map(([id, pix]) => [id, heldOf(pix)])),
  };
};

// The databases run at once, because each mostly waits for processes that start.
describe.concurrent.each(crashDatabases)(
  "processes killed while Pix moves, on %s",
  (_name, database) => {
    test("afterwards the books agree with the bank's, order by order", {
      timeout: purchases * 3_000 + 60_000,
    }, async ({ onTestFinished }) => {
      await expectEqualBooks({ purchases, database: await database(onTestFinished), open });
    });
  },
);
