import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sqliteStorage } from "vitrine/sqlite";
import { stripeGateway } from "vitrine/stripe";
import { forkable } from "../../support/bundle.ts";
import { freshFolder } from "../../support/demo.ts";
import { createShop } from "../../support/shop.ts";
import { shuffledWithRepeats } from "../outbox.ts";
import { heldOf } from "./books.ts";
import { payAtBank } from "./buyer.ts";
import { type FakeStripe, webhookSecret } from "./fake-stripe.ts";
import { endFakesAfterEach, judgedStripe } from "./setup.ts";

endFakesAfterEach();

/** `npm test` makes a few purchases; STRIPE_PURCHASES=1000 makes a thousand. */
const purchases = Number(process.env["STRIPE_PURCHASES"] ?? 20);
const batch = 50;
const hourMs = 3_600_000;

/** What Stripe holds of an order's money, by its own books. */
function heldByOrder(fake: FakeStripe): ReadonlyMap<string, number> {
  const books = fake.books();
  const held = new Map<string, number>();
  for (const intent of books.intents.values()) {
    const order_id = intent.metadata["order_id"] ?? "";
    held.set(order_id, (held.get(order_id) ?? 0) + heldOf(books, intent));
  }
  return held;
}

/** Buyers whose Pix code is still open pay it, or never do. */
function payHalfOfThePix(fake: FakeStripe): void {
  const books = fake.books();
  for (const intent of books.intents.values())
    if (intent.status === "requires_action" && Math.random() < 0.5) payAtBank(books, intent);
}

test(
  "after processes were killed while money moved, the books agree with Stripe's, order by order",
  async () => {
    let offset = 0;
    const now = (): number => Date.now() + offset;
    const fake = await judgedStripe({
      now,
      deliver: async ({ body, signature }) => {
        if (Math.random() < 0.2) return 500;
        const { outcome } = await shop.storefront.checkout.handleNotification("stripe", {
          livemode: false,
          body: new TextEncoder().encode(body),
          header: () => signature,
        });
        return outcome === "unknown_payment" ? 409 : 200;
      },
    });
    const file = join(freshFolder(), "shop.sqlite");
    const storage = sqliteStorage(file);
    await storage.migrate();
    const gateway = stripeGateway({ stripe: fake.client, webhookSecret, livemode: false, now });
    const shop = await createShop(storage, {
      limits: { checkout: null },
      now,
      gateways: [{ ...gateway, returnDuplicates: true }],
    });
    const { owner } = shop.storefront;
    const where = { store_id: shop.a.id, livemode: false };
    await owner.products.update(shop.a.id, shop.product.id, { stock: purchases });
    const methods: string[] = [];
    for (const type of ["card", "pix"] as const) {
      const method = { type, name: type, currencies: ["BRL"], gateway: "stripe" };
      methods.push((await owner.paymentMethods.create(shop.a.id, method)).id);
    }
    let left: string[] = [];
    const start = await forkable("test/providers/stripe/crash-worker.ts");
    let kills = 0;
    /** Runs a worker to its end, and says whether it was killed. */
    const run = async (work: string, ...given: readonly string[]): Promise<boolean> => {
      const child = start([file, String(fake.port), shop.a.id, methods.join(), work, ...given]);
      child.on("message", ({ token }: { token: string }) => {
        left = left.slice(left.indexOf(token) + 1);
      });
      const [code, signal] = await once(child, "exit");
      await fake.outbox.deliver(shuffledWithRepeats);
      if (signal === "SIGKILL") kills += 1;
      else expect(code).toBe(0);
      return signal === "SIGKILL";
    };

    // A session lives for 30 minutes, so they are made a few at a time.
    for (let made = 0; made < purchases; made += batch) {
      for (let at = made; at < Math.min(made + batch, purchases); at += 1)
        left.push(shop.tokenOf(await shop.session()));
      while (left.length > 0) await run("buy", ...left);
    }
    payHalfOfThePix(fake);
    for (const hours of [0.5, 2, 4, 30]) {
      offset = hours * hourMs;
      while (await run("maintain", String(offset)));
    }
    expect(kills).toBeGreaterThan(0);

    // A return or a question that a kill interrupted is due again up to a day later.
    for (const hours of [31, 44, 56]) {
      offset = hours * hourMs;
      for (let round = 0; round < 20 && fake.outbox.waiting.length > 0; round += 1)
        await fake.outbox.deliver(shuffledWithRepeats);
      await shop.storefront.runMaintenance();
    }
    const held = heldByOrder(fake);

    let paid = 0;
    for await (const order of ordersOf(shop)) {
      const { id, amount_refunded, status } = order;
      if (status !== "failed") paid += 1;
      const payments = await shop.storefront.orders.listPayments(id, where);
      const kept = payments.filter(
        (payment) => payment.gateway === "stripe" && payment.status !== "returned",
      );
      const booked = kept.reduce((sum, { amount }) => sum + amount, 0) - amount_refunded;
      expect({ id, status, booked }).toEqual({ id, status, booked: held.get(id) ?? 0 });
    }
    expect(paid).toBeGreaterThan(0);
    await shop.storefront.close();
  },
  purchases * 3_000 + 60_000,
);

async function* ordersOf(shop: Awaited<ReturnType<typeof createShop>>) {
  let cursor = "";
  for (let more = true; more; ) {
    const { body } = await shop.get(`/orders?limit=100${cursor}`, { key: shop.a.test.sec });
    yield* body.data;
    more = body.has_more;
    cursor = `&starting_after=${body.next_cursor}`;
  }
}
