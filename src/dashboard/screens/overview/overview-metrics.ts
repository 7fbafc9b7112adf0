import type { Tone } from "../../frame/elements.ts";
import type { DayNumbers } from "../../lists/periods.ts";

/** The numbers of a period and of the one before it, day by day. */
export interface Figures {
  readonly currency: string;
  readonly length: number;
  /** The reader has chosen the days, which may end before today. */
  readonly isSpan: boolean;
  readonly points: readonly DayNumbers[];
  readonly before: readonly DayNumbers[];
}

/**
 * The fewest orders in the period before that are compared. Of fewer, one more or less would look
 * like a trend.
 */
export const minBase = 10;

/** Tells whether the period before rests on enough orders to be compared with. */
export const isEnough = (base: number): boolean => base >= minBase;

/** A number that grew to more than this many times its size had next to nothing before. */
const mostGrowth = 10;

/** Gives a change in parts of the number before. Null when there is too little to compare with. */
export const changeFrom = (then: number, now: number, base: number): number | null =>
  isEnough(base) && then > 0 && now <= mostGrowth * then ? (now - then) / then : null;

/** Says whether a change is good or bad for the owner. */
export const toneOf = (change: number, { rise, fall }: Pick<Metric, "rise" | "fall">): Tone =>
  change === 0 ? "plain" : change > 0 ? rise : fall;

export interface Metric {
  readonly name:
    | "gross"
    | "net"
    | "fees"
    | "after_fees"
    | "orders"
    | "average"
    | "conversion"
    | "refunds"
    | "failed"
    | "agents";
  /** Computes one number over some days, or null when there is none. */
  readonly of: (days: readonly DayNumbers[]) => number | null;
  readonly kind: "money" | "count" | "share";
  /** Counts what the number rests on over some days, such as orders. */
  readonly base: (days: readonly DayNumbers[]) => number;
  /** Whether a higher number than before is good or bad for the owner. */
  readonly rise: Tone;
  readonly fall: Tone;
}

const sumOf =
  (read: (day: DayNumbers) => number) =>
  (days: readonly DayNumbers[]): number =>
    days.reduce((all, day) => all + read(day), 0);

export const sales = { rise: "good", fall: "bad" } as const;
const losses = { rise: "bad", fall: "good" } as const;

const grossOf = sumOf(({ amount_gross }) => amount_gross);
const ordersOf = sumOf(({ orders_paid }) => orders_paid);
const sessionsOf = sumOf(({ sessions }) => sessions);
const agentsOf = sumOf(({ orders_by_agents }) => orders_by_agents);
const failedOf = sumOf(({ payments_failed }) => payments_failed);

const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

export const gross: Metric = {
  name: "gross",
  of: grossOf,
  kind: "money",
  base: ordersOf,
  ...sales,
};

const feesOf = sumOf(({ amount_fees }) => amount_fees);
const feesToldOf = sumOf(({ fees_told }) => fees_told);

/** Tells whether any fee is known. `fees_told` leaves out fees of orders in another currency. */
const tellsFees = (days: readonly DayNumbers[]): boolean =>
  feesToldOf(days) > 0 || feesOf(days) > 0;

const fees: Metric = {
  name: "fees",
  of: (days) => (tellsFees(days) ? feesOf(days) : null),
  kind: "money",
  base: feesToldOf,
  ...losses,
};

const afterFees: Metric = {
  name: "after_fees",
  of: sumOf(({ amount_after_fees }) => amount_after_fees),
  kind: "money",
  base: feesToldOf,
  ...sales,
};

const net: Metric = {
  name: "net",
  of: sumOf(({ amount_net }) => amount_net),
  kind: "money",
  base: ordersOf,
  ...sales,
};

const everyStore: readonly Metric[] = [
  { name: "orders", of: ordersOf, kind: "count", base: ordersOf, ...sales },
  {
    name: "average",
    of(days) {
      const average = shareOf(grossOf(days), ordersOf(days));
      return average === null ? null : Math.round(average);
    },
    kind: "money",
    base: ordersOf,
    ...sales,
  },
  {
    name: "conversion",
    of: (days) => shareOf(sumOf(({ sessions_paid }) => sessions_paid)(days), sessionsOf(days)),
    kind: "share",
    base: sessionsOf,
    ...sales,
  },
  {
    name: "refunds",
    of: sumOf(({ amount_refunded }) => amount_refunded),
    kind: "money",
    base: ordersOf,
    ...losses,
  },
  { name: "failed", of: failedOf, kind: "count", base: failedOf, ...losses },
];

const ofAgents: Metric = { name: "agents", of: agentsOf, kind: "count", base: agentsOf, ...sales };

/**
 * Gives the metrics beside the gross. The amount after fees is shown where a provider tells its
 * fees, and the sales of agents where an agent has sold.
 */
export const smallMetrics = ({ points, before }: Figures): readonly Metric[] => [
  net,
  fees,
  ...(tellsFees([...points, ...before]) ? [afterFees] : []),
  ...everyStore,
  ...(agentsOf(points) + agentsOf(before) > 0 ? [ofAgents] : []),
];

/** Says of how many of the paid orders the fee is known, where that is not all of them. */
export function feesKnown({
  points,
}: Figures): { readonly told: number; readonly of: number } | null {
  const [told, of] = [feesToldOf(points), ordersOf(points)];
  return told > 0 && told < of ? { told, of } : null;
}
