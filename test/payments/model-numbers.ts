import { expect } from "vitest";
import type { Stage } from "./model-stage.ts";

const hourMs = 3_600_000;
const hourOf = (time: string): string =>
  new Date(Math.floor(Date.parse(time) / hourMs) * hourMs).toISOString();

interface Row {
  readonly hour: string;
  readonly amount: number;
}

/** Expects that `owner.stats` is what a count of the records gives. */
export async function compareNumbers({ shop, where }: Stage): Promise<void> {
  const { owner } = shop;
  const [orders, refunds, disputes, payments, sessions] = await Promise.all([
    owner.orders.list({ ...where, limit: 100 }),
    owner.refunds.list({ ...where, status: "succeeded", limit: 100 }),
    owner.disputes.list({ ...where, status: "lost", limit: 100 }),
    owner.payments.list({ ...where, status: "failed", limit: 100 }),
    owner.sessions.list({ ...where, limit: 100 }),
  ]);
  const stats = await owner.stats({
    ...where,
    from: new Date(shop.now() - 30 * 24 * hourMs).toISOString(),
    to: new Date(shop.now() + 2 * hourMs).toISOString(),
    interval: "hour",
  });

  const paid = orders.data.flatMap(({ paid_at, amount_total }): readonly Row[] =>
    paid_at === null ? [] : [{ hour: hourOf(paid_at), amount: amount_total }],
  );
  const lost = disputes.data.map(({ updated_at, amount }) => ({
    hour: hourOf(updated_at),
    amount,
  }));
  const created = sessions.data.map(({ created_at }) => ({ hour: hourOf(created_at), amount: 0 }));
  const completed = sessions.data.filter(({ status }) => status === "complete");

  const [numbers] = stats.currencies;
  const series = numbers?.series ?? [];
  expect({
    complete_from: stats.complete_from,
    paid: hours(series, (point) => [point.orders_paid, point.amount_gross]),
    lost: hours(series, (point) => [point.disputes_lost, point.amount_disputes_lost]),
    refunded: numbers?.totals.amount_refunded ?? 0,
    payments_failed: numbers?.totals.payments_failed ?? 0,
    created: hours(stats.sessions.series, (point) => [point.created, 0]),
    completed: stats.sessions.totals.completed,
  }).toEqual({
    complete_from: null,
    paid: byHour(paid),
    lost: byHour(lost),
    // A refund that fails later is taken off in another hour, so only the sum is compared.
    refunded: sumOf(refunds.data),
    payments_failed: payments.data.filter(({ failure_code }) => failure_code !== "replaced").length,
    created: byHour(created),
    completed: completed.length,
  });
}

type Hours = Readonly<Record<string, readonly [count: number, amount: number]>>;

const sumOf = (rows: readonly { readonly amount: number }[]): number =>
  rows.reduce((sum, { amount }) => sum + amount, 0);

const byHour = (rows: readonly Row[]): Hours =>
  Object.fromEntries(
    rows.map(({ hour }) => {
      const own = rows.filter((row) => row.hour === hour);
      return [hour, [own.length, sumOf(own)]];
    }),
  );

interface Point {
  readonly start: string;
}

/** Gives the hours of a series in which something was counted. */
function hours<Row extends Point>(
  series: readonly Row[],
  read: (point: Row) => readonly [count: number, amount: number],
): Hours {
  const counted = series.map((point) => [point.start, read(point)] as const);
  return Object.fromEntries(counted.filter(([, [count, amount]]) => count !== 0 || amount !== 0));
}
