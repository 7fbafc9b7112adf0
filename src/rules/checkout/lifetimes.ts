import { dayMs, minuteMs } from "../../domain/durations.ts";

/** A checkout session ends this long after its creation, and never later. */
export const sessionLifetimeMs = 30 * minuteMs;

/** An idempotency key of this age or older is unknown, whether its row was purged or not. */
export const keyLifetimeMs = dayMs;

/** A session without an order is deleted this long after its end. */
export const keptSessionMs = 30 * dayMs;

/** The id of a gateway's message is deleted this long after it was noted. */
export const keptMessageMs = 30 * dayMs;

/** The count of a day's sessions is deleted this long after the day has begun. */
export const keptSessionDayMs = 2 * dayMs;

/**
 * The time in an id differs by less than this from the time in its row, because
 * both are made in the same request. The rest allows for a clock that is set anew.
 */
export const idSlackMs = minuteMs;
