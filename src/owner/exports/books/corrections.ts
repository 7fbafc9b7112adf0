import { hourMs, minuteMs } from "../../../domain/durations.ts";
import { type StatChange, startOfHour } from "../../../rules/owner/stats.ts";
import type { Partition } from "../../../rules/records.ts";
import type { OwnerContext } from "../../context.ts";
import { type Movement, noMoney, type Span } from "./movements.ts";

/** The numbers by the hour that books must add up to, by what a movement has of them. */
const counted = {
  paid: "gross",
  refunded: "refunded",
  dispute_lost: "charged_back",
  fee: "fee",
} as const;
type CountedKind = keyof typeof counted;

const countedKinds = Object.keys(counted) as readonly CountedKind[];
const isCounted = (kind: StatChange["kind"]): kind is CountedKind => Object.hasOwn(counted, kind);

/** A step that began before the end of an hour is stored this long after it at most. */
const settledAfterMs = 10 * minuteMs;

/** Compares lines with the numbers of their hours. */
export interface Balance {
  /** Takes a line off what was counted in its hour. */
  book(movement: Movement): void;
  /** Gives what is left, as lines of their own, the oldest first. */
  rest(): readonly Movement[];
}

/**
 * Reads the numbers of a span of time. A refund that failed after it had succeeded, and a verdict
 * that was reversed, have changed the numbers of two hours, and their records keep the last state
 * alone: what no record tells any more is a correction. Hours that are not over yet, and those
 * that an older version did not count, are left out.
 */
export async function openBalance(
  ctx: OwnerContext,
  of: Partition,
  { from, to }: Span,
): Promise<Balance> {
  const { rows, complete_from } = await ctx.storage.stats.listHours({ ...of, from, to });
  const { now } = await ctx.clock.of(of);
  const first = complete_from.orders ?? 0;
  const isSettled = (hour: number): boolean =>
    hour >= first && hour + hourMs + settledAfterMs <= now;

  const left = new Map<string, Movement>();
  const add = (hour: number, currency: string, amounts: Partial<typeof noMoney>): void => {
    if (!isSettled(hour)) return;
    const key = `${hour} ${currency}`;
    const known = left.get(key) ?? emptyCorrection(hour, currency);
    left.set(key, addUp(known, amounts));
  };

  for (const { kind, hour, currency, amount } of rows)
    if (isCounted(kind)) add(hour, currency, { [counted[kind]]: amount });
  return {
    book({ at, currency, ...amounts }) {
      const taken = countedKinds.map((kind) => [counted[kind], -amounts[counted[kind]]] as const);
      add(startOfHour(at), currency, Object.fromEntries(taken));
    },
    rest: () =>
      [...left.values()]
        .filter((each) => countedKinds.some((kind) => each[counted[kind]] !== 0))
        .sort((a, b) => a.at - b.at || (a.currency < b.currency ? -1 : 1)),
  };
}

const emptyCorrection = (at: number, currency: string): Movement => ({
  kind: "correction",
  at,
  currency,
  ...noMoney,
  order: null,
  reference: null,
});

const addUp = (
  movement: Movement,
  {
    gross = 0,
    refunded = 0,
    charged_back = 0,
    fee = 0,
  }: { [Name in keyof typeof noMoney]?: number },
): Movement => ({
  ...movement,
  gross: movement.gross + gross,
  refunded: movement.refunded + refunded,
  charged_back: movement.charged_back + charged_back,
  fee: movement.fee + fee,
});
