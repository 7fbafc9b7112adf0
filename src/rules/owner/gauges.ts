/** The most rows that one gauge counts, because a scrape must not read a backlog of millions. */
export const mostCounted = 100_000;
