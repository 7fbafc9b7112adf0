import { expect, test } from "vitest";
import { Rests } from "../../adapters/storage/sql/citus/lanes/rests.ts";

test("a node that does not answer rests for 1 s, doubling up to 60 s, until it answers", () => {
  let now = 0;
  const rests = new Rests(
    () => now,
    () => 1,
  );
  const rested: number[] = [];
  rests.lost("a");
  for (let turn = 0; turn < 8; turn += 1) {
    const since = now;
    while (!rests.takeTurn("a")) now += 100;
    rested.push(now - since);
    expect(rests.takeTurn("a"), "while it is asked, nobody else asks it").toBe(false);
    rests.lost("a");
  }
  expect(rested).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  expect([rests.isLost("a"), rests.isLost("b")]).toEqual([true, false]);

  rests.answered("a");
  expect([rests.isLost("a"), rests.takeTurn("a")]).toEqual([false, false]);
});

test("a rest is shortened by chance to a half at most", () => {
  let now = 0;
  const rests = new Rests(
    () => now,
    () => 0,
  );
  rests.lost("a");
  now = 499;
  expect(rests.takeTurn("a")).toBe(false);
  now = 500;
  expect(rests.takeTurn("a")).toBe(true);
});
