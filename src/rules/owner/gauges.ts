/**
 * One gauge counts at most this many rows, because a scrape must not read a backlog
 * of millions.
 */
export const mostCounted = 100_000;
