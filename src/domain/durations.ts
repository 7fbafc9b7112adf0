// In milliseconds. A day has 24 hours here: `src/domain/periods.ts` knows the days of a time zone.

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
