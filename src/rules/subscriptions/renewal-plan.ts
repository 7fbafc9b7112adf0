import { dayMs, minuteMs } from "../../domain/durations.ts";
import type { RenewalState } from "../payments/payment-records.ts";
import { aheadMs } from "./subscription-record.ts";

/** When maintenance charges a period, and what follows the last try. */
export interface RenewalPlan {
  /** The days of the tries. Day 1 begins with the period, and the numbers rise. */
  readonly days: readonly number[];
  /** `cancel` ends the subscription after the last try. `leave` leaves it past due. */
  readonly afterLast: "cancel" | "leave";
  /** Charges begin from the first of these full hours until before the second. */
  readonly hours: { readonly from: number; readonly to: number };
  /** The number of days before a charge at which it is told of. 0 tells of none. */
  readonly noticeDays: number;
}

/** The plan with the time zone of the store, an IANA name. */
export interface StorePlan extends RenewalPlan {
  readonly timezone: string;
}

/**
 * Gives the time of the next try of a period. Null means that none follows. A method that was
 * gone before the period fails its one try at the start of it, which asks the buyer.
 */
export function nextTryAt(
  { saved, tries, stopped }: Pick<RenewalState, "saved" | "tries" | "stopped">,
  period_start: number,
  plan: StorePlan,
): number | null {
  const day = stopped && tries > 0 ? undefined : plan.days[tries];
  if (day === undefined) return null;

  const ahead = stopped || tries > 0 ? 0 : aheadMs(saved);
  return inHours(period_start - ahead + (day - 1) * dayMs, plan);
}

/**
 * Gives the time at which the tries of a period are over. A method that does not pay
 * without the buyer leaves the buyer the days until the last try.
 */
export function triesEndAt(
  { stopped }: Pick<RenewalState, "stopped">,
  period_start: number,
  { days }: RenewalPlan,
): number {
  const last = days.at(-1) ?? 1;
  return stopped ? period_start + (last - 1) * dayMs : period_start;
}

/**
 * Gives the time at which the charge of a period is told of, in its second half. Null means that
 * it is not.
 */
export function noticeTime(
  { earliest, charge_at }: { readonly earliest: number; readonly charge_at: number },
  plan: StorePlan,
): number | null {
  if (plan.noticeDays === 0) return null;

  const time = inHours(Math.max(earliest, charge_at - plan.noticeDays * dayMs), plan);
  return time < charge_at ? time : null;
}

/** Clocks are set forward and back by whole quarters of an hour. */
const stepMs = 15 * minuteMs;

/** Gives the time itself when it is within the hours, else the next time that is. */
export function inHours(time: number, { hours, timezone }: StorePlan): number {
  const { from, to } = hours;
  const isWithin = (at: number): boolean => {
    const hour = localHour(at, timezone);
    return hour >= from && hour < to;
  };

  let at = time;
  for (let steps = 0; !isWithin(at) && steps < (2 * dayMs) / stepMs; steps += 1)
    at = (Math.floor(at / stepMs) + 1) * stepMs;
  return at;
}

const hourFormats = new Map<string, Intl.DateTimeFormat>();

function localHour(time: number, timeZone: string): number {
  const known = hourFormats.get(timeZone);
  const format =
    known ?? new Intl.DateTimeFormat("en", { timeZone, hour: "numeric", hourCycle: "h23" });
  hourFormats.set(timeZone, format);
  return Number(format.format(time));
}
