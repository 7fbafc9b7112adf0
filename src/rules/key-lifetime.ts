/** CONTRACT 5.6: an older idempotency key is as unseen, purged or not. */
export const keyLifetimeMs = 24 * 3_600_000;
