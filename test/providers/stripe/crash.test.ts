import { describe, test } from "vitest";
import { stripeGateway } from "vitrine/stripe";
import { crashDatabases } from "../../support/crash/databases.ts";
import { type CrashRun, expectEqualBooks } from "../../support/crash/purchases.ts";
import { heldOf } from "./books.ts";
import { payAtBank } from "./buyer.ts";
import { webhookSecret } from "./fake-stripe.ts";
import { endFakesAfterAll, judgedStripe } from "./setup.ts";

endFakesAfterAll();

/** `npm test` makes a few purchases; STRIPE_PURCHASES=1000 makes a thousand on each database. */
const purchases = Number(process.env["STRIPE_PURCHASES"] ?? 20);

const open: CrashRun["open"] = async ({ now, notify }) => {
  const fake = await judgedStripe({
    now,
    deliver: ({ body, signature }) =>
      notify({ gateway: "stripe", body, headers: { "stripe-signature": signature } }),
  });
  const { client: stripe, outbox, port } = fake;

  return {
    worker: "test/providers/stripe/crash-worker.ts",
    job: { port },
    types: ["card", "pix"],
    outbox,
    gateway: (clock) => stripeGateway({ stripe, webhookSecret, livemode: false, now: clock }),
    /** Buyers whose Pix code is still open pay it, or never do. */
    payLater() {
      for (const intent of fake.books().intents.values())
        if (intent.status === "requires_action" && Math.random() < 0.5)
          payAtBank(fake.books(), intent);
    },
    held: () =>
      new Map(
        [...fake.books().intents.values()].map((intent) => [
          intent.id,
          heldOf(fake.books(), intent),
        ]),
      ),
  };
};

// The databases run at once, because each mostly waits for processes that start.
describe.concurrent.each(crashDatabases)(
  "processes killed while cards are paid, on %s",
  (_name, database) => {
    test("afterwards the books agree with Stripe's, order by order", {
      timeout: purchases * 3_000 + 60_000,
    }, async ({ onTestFinished }) => {
      await expectEqualBooks({ purchases, database: await database(onTestFinished), open });
    });
  },
);
