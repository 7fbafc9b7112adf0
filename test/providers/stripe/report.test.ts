import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { textOf } from "../../support/reply-text.ts";
import type { FakeTransaction } from "./books.ts";
import { payOnPage, testCards } from "./buyer.ts";
import { closeDispute, openDispute } from "./disputes.ts";
import { addRefund, settleRefund } from "./refunds.ts";
import { endFakesAfterEach } from "./setup.ts";
import { stripeShop } from "./shop.ts";

endFakesAfterEach();

const dayMs = 86_400_000;
const digits: Readonly<Record<string, number>> = { BRL: 2, JPY: 0, KWD: 3 };

/** Gives numbers from 0 to 1 that are the same at each run. */
function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Shop = Awaited<ReturnType<typeof stripeShop>>;

/** Lives some weeks: buyers pay, give up and dispute, and money goes back from both sides. */
async function live(shop: Shop, random: () => number): Promise<void> {
  for (let step = 0; step < 30; step += 1) {
    await shop.advanceClock(Math.floor(random() * 2 * dayMs));
    const { order } = await shop.submit();
    const session = [...shop.books().sessions.values()].at(-1);
    if (!session) throw new Error("There is no session.");
    if (random() < 0.15) continue;
    payOnPage(shop.books(), session, random() < 0.1 ? testCards.declines : testCards.succeeds);
    await shop.fake.outbox.deliver();
    const intent = shop.books().intents.get(session.payment_intent ?? "");
    if (intent?.status !== "succeeded") continue;

    const amount = 10 * Math.ceil(random() * 100);
    const fate = random();
    if (fate < 0.25) {
      const reference = `r_${step}`;
      await shop.storefront.orders.refund(order.id, { ...shop.where, reference, amount });
    } else if (fate < 0.4) {
      const refund = addRefund(shop.books(), intent, { amount, metadata: {} });
      await shop.fake.outbox.deliver();
      await shop.advanceClock(dayMs);
      if (random() < 0.5) settleRefund(shop.books(), refund, "failed");
    } else if (fate < 0.55) {
      const dispute = openDispute(shop.books(), intent);
      await shop.fake.outbox.deliver();
      await shop.advanceClock(3 * dayMs);
      closeDispute(shop.books(), dispute, random() < 0.5 ? "lost" : "won");
    }
    await shop.fake.outbox.deliver();
  }
  await shop.advanceClock(dayMs);
  await shop.fake.outbox.deliver();
}

/** Adds up the account's own report, as Stripe's API lists it. */
async function reportOf({ fake }: Shop) {
  const listed: FakeTransaction[] = [];
  const list = fake.client.balanceTransactions.list({ limit: 100 });
  for await (const line of list) listed.push(line as unknown as FakeTransaction);
  const sum = (read: (line: FakeTransaction) => number, ...categories: readonly string[]): number =>
    listed
      .filter((line) => categories.includes(line.reporting_category))
      .reduce((total, line) => total + read(line), 0);
  return {
    gross: sum(({ amount }) => amount, "charge"),
    refunded: -sum(({ amount }) => amount, "refund", "refund_failure"),
    charged_back: -sum(({ amount }) => amount, "dispute"),
    fees: sum(({ fee }) => fee, "charge", "refund", "refund_failure", "dispute"),
    kept: sum(({ net }) => net, "charge", "refund", "refund_failure", "dispute"),
  };
}

const span = (shop: Shop) => ({
  ...shop.where,
  from: new Date(shop.now() - 120 * dayMs).toISOString(),
  to: new Date(shop.now() + 3_600_000).toISOString(),
});

async function overviewOf(shop: Shop) {
  const { currencies } = await shop.storefront.owner.stats({ ...span(shop), interval: "month" });
  const totals = currencies[0]?.totals;
  return {
    gross: totals?.amount_gross,
    refunded: totals?.amount_refunded,
    charged_back: totals?.amount_disputes_lost,
    fees: totals?.amount_fees,
    kept: totals?.amount_after_fees,
  };
}

/** Reads a decimal amount as minor units, digit by digit. */
function minor(text: string, currency: string): number {
  if (text === "") return 0;
  const [whole = "", fraction = ""] = text.split(".");
  expect(fraction).toHaveLength(digits[currency] ?? 2);
  return Number(`${whole}${fraction}`);
}

async function booksOf(shop: Shop, currency: string, lines: "movements" | "items") {
  const query = { ...span(shop), lines, locale: "en" };
  const { body } = await shop.storefront.owner.exportBooks(query);
  const rows: readonly Readonly<Record<string, string>>[] = parse((await textOf(body)) ?? "", {
    columns: true,
    bom: true,
  });
  expect(new Set(rows.map((row) => row["Currency"]))).toEqual(new Set([currency]));
  const sum = (head: string): number =>
    rows.reduce((total, row) => total + minor(row[head] ?? "", currency), 0);
  return {
    gross: sum("Gross"),
    refunded: sum("Refund"),
    charged_back: sum("Chargeback"),
    fees: sum("Fee"),
    kept: sum("After fees"),
  };
}

describe.each([
  ["BRL", 1_234],
  ["JPY", 1_980],
  ["KWD", 5_470],
] as const)("a random story in %s", (currency, price) => {
  test.each([1, 2])(
    "adds up to Stripe's own report in the overview and the books, seed %i",
    async (seed) => {
      const shop = await stripeShop({ currency, price });
      await live(shop, numbersOf(seed));

      const report = await reportOf(shop);
      for (const part of Object.values(report)) expect(part).toBeGreaterThan(0);
      expect(report.kept).toBe(report.gross - report.refunded - report.charged_back - report.fees);
      expect(await overviewOf(shop)).toEqual(report);
      expect(await booksOf(shop, currency, "movements")).toEqual(report);
      expect(await booksOf(shop, currency, "items")).toEqual(report);
      expect(shop.errors).toEqual([]);
    },
  );
});
