import { describe, expect, test } from "vitest";
import type { Claimed } from "../../src/storage/webhook-store.ts";
import { ClaimRound } from "../../src/webhooks/drain/claim-round.ts";

const claimed = (after_endpoint: string | null, left_behind: Claimed["left_behind"]): Claimed => ({
  after_endpoint,
  left_behind,
  deliveries: [],
});

function isCompleteAfter(...claims: readonly Claimed[]): readonly boolean[] {
  const round = new ClaimRound();
  return claims.map((claim) => {
    round.add(claim);
    return round.isComplete;
  });
}

const endpoints = (id: string) => claimed(id, "endpoints");

describe("a round of claims is complete", () => {
  test("after one claim that looked at every endpoint", () => {
    expect(isCompleteAfter(claimed(null, "nothing"))).toEqual([true]);
    expect(isCompleteAfter(claimed("we_5", "nothing"))).toEqual([true]);
  });

  test("when the claims have come to where it began, or past it", () => {
    expect(isCompleteAfter(endpoints("we_3"), endpoints("we_6"), endpoints("we_2"))).toEqual([
      false,
      false,
      true,
    ]);
    const cut = claimed("we_5", "deliveries");
    expect(isCompleteAfter(cut, endpoints("we_8"), endpoints("we_2"), endpoints("we_5"))).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(isCompleteAfter(cut, endpoints("we_8"), endpoints("we_6"))).toEqual([
      false,
      false,
      true,
    ]);
  });

  test("when one claim went the whole way round and ended where it began", () => {
    expect(isCompleteAfter(endpoints("we_3"), endpoints("we_3"))).toEqual([false, true]);
  });

  test("never while the limit cuts the claims short: then it begins anew", () => {
    const cut = (id: string) => claimed(id, "deliveries");
    expect(isCompleteAfter(cut("we_3"), cut("we_6"), cut("we_3"), cut("we_3"))).toEqual(
      Array(4).fill(false),
    );
  });

  test("until more is expected", () => {
    const round = new ClaimRound();
    round.add(claimed("we_5", "nothing"));
    round.restart();
    expect(round.isComplete).toBe(false);
    round.add(endpoints("we_7"));
    expect(round.isComplete).toBe(false);
    round.add(endpoints("we_5"));
    expect(round.isComplete).toBe(true);
  });
});
