import fc from "fast-check";
import { expect, test } from "vitest";
import { createSteadyClock } from "../../src/domain/async/steady-clock.ts";

test("a steady clock goes forward as its clock does, and stands still at each step back", () => {
  let now = 1_000;
  const clock = createSteadyClock(() => now);
  const read = (at: number): number => {
    now = at;
    return clock();
  };
  expect([read(1_000), read(1_500), read(200), read(300), read(299), read(1_299)]).toEqual([
    1_000, 1_500, 1_500, 1_600, 1_600, 2_600,
  ]);
});

test("whatever its clock does, it is never behind the largest value and never goes back", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1e12 }), { minLength: 1 }), (times) => {
      let at = 0;
      const clock = createSteadyClock(() => times[at] ?? 0);
      let last = 0;
      for (at = 0; at < times.length; at += 1) {
        const steady = clock();
        expect(steady).toBeGreaterThanOrEqual(Math.max(last, ...times.slice(0, at + 1)));
        last = steady;
      }
    }),
  );
});
