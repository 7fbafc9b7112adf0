/** An idempotency key older than this is unknown, whether its row was purged or not. */
export const keyLifetimeMs = 24 * 3_600_000;
