import { dayMs, floorTo } from "../../domain/durations.ts";

/** Gives the time when the UTC day of this time begins. Both are epoch milliseconds. */
export const startOfDay = (time: number): number => floorTo(dayMs, time);

/** Gives the whole seconds until the next UTC day begins, at least 1. */
export const secondsToNextDay = (now: number): number =>
  Math.ceil((startOfDay(now) + dayMs - now) / 1000);
