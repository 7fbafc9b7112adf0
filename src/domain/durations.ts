// In milliseconds. A day has 24 hours here: `src/domain/periods.ts` knows the days of a time zone.

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Gives the beginning of the hour, the day or another length of UTC that a time lies in. */
export const floorTo = (length: number, time: number): number => Math.floor(time / length) * length;
