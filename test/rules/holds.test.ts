import { describe, expect, test } from "vitest";
import type { Hold, HoldRelease } from "../../src/rules/checkout/hold-commands.ts";
import type { SessionHold } from "../../src/rules/checkout/hold-record.ts";
import {
  decideHold,
  decideHoldRelease,
  maxOpenHolds,
} from "../../src/rules/checkout/session-hold.ts";
import { orderChanges } from "../../src/rules/orders/order-changes.ts";
import type { OrderSnapshot } from "../../src/rules/orders/order-snapshot.ts";
import type { SessionRecord } from "../../src/rules/records.ts";
import {
  coupon,
  failed,
  fresh,
  now,
  paid,
  pending,
  pieces,
  session,
} from "../payments/order-fixtures.ts";

const partition = { store_id: session.store_id, livemode: session.livemode };
const until = now + 600_000;
const address = "203.0.113.7";
const taken: SessionHold = {
  until,
  token: "call_1",
  coupon_key: coupon.customer_key,
  address,
};
const held: SessionRecord = { ...session, hold: taken, sweep_at: until };
const use = { coupon_id: "cpn_1", customer_key: coupon.customer_key } as const;
const heldPieces = (sign: 1 | -1) =>
  ["a", "b"].map((product_id) => ({
    product_id,
    stock_delta: 0,
    held_delta: 2 * sign,
    guarded: sign === 1,
  }));

const hold = (changes: Partial<Hold> = {}): Hold => ({
  ...partition,
  session_id: session.id,
  until,
  token: "call_1",
  address,
  new_customer_id: "cus_1",
  now,
  ...changes,
});
const release = (changes: Partial<HoldRelease> = {}): HoldRelease => ({
  ...partition,
  session_id: session.id,
  token: null,
  ended_by: null,
  ...changes,
});

describe("a session that holds its goods", () => {
  test("takes pieces and a coupon use, guarded, and counts for its address", () => {
    const decision = decideHold(fresh, hold());
    expect(decision.result).toEqual({ outcome: "held", session: held });
    expect(decision.changes).toMatchObject({
      session: held,
      coupons: [{ ...use, used_delta: 1, guarded: true }],
      open_hold: { address, delta: 1 },
      order: null,
      events: [],
    });
    expect(decision.changes?.stock).toEqual(heldPieces(1));
  });

  test("without an address counts for none, and without a coupon takes none", () => {
    const snapshot = { ...fresh, session: { ...session, coupon_id: null }, coupon: null };
    const decision = decideHold(snapshot, hold({ address: null }));
    expect(decision.changes).toMatchObject({
      session: { hold: { ...taken, address: null, coupon_key: null } },
      coupons: [],
      open_hold: null,
    });
  });

  test("and is asked again moves its end, and takes nothing a second time", () => {
    const again = hold({ until: until + 1, token: "call_2", address: null });
    const decision = decideHold({ ...fresh, session: held, stock: new Map() }, again);
    const prolonged = {
      ...held,
      hold: { ...taken, until: until + 1, token: "call_2" },
      sweep_at: until + 1,
    };
    expect(decision).toEqual({
      result: { outcome: "held", session: prolonged },
      changes: orderChanges({ session: prolonged }),
    });
  });

  const expiring = { ...session, expires_at: now + 1 };

  test.each<[string, OrderSnapshot, Partial<Hold>, string]>([
    ["that nobody knows", { ...fresh, session: null }, {}, "unknown_session"],
    ["that is complete", paid, {}, "session_not_open"],
    ["in its last millisecond", { ...fresh, session: expiring }, {}, "held"],
    ["when its time is over", { ...fresh, session: expiring }, { now: now + 1 }, "session_expired"],
    ["whose payment has begun", pending, {}, "payment_started"],
    ["whose payment has failed", failed, {}, "held"],
    [
      "of a product that is sold no more",
      { ...fresh, offered: new Set(["a"]) },
      {},
      "product_unavailable",
    ],
    [
      "of what the host's catalog has not",
      fresh,
      { from_source: "insufficient_stock" },
      "insufficient_stock",
    ],
    [
      "with a piece too few",
      { ...fresh, stock: new Map([["a", pieces(1)]]) },
      {},
      "insufficient_stock",
    ],
    [
      "with a coupon that is used up",
      { ...fresh, coupon: { ...coupon, used: 5 } },
      {},
      "coupon_invalid",
    ],
    ["with one hold left for the address", { ...fresh, open_holds: maxOpenHolds - 1 }, {}, "held"],
    [
      "with no hold left for the address",
      { ...fresh, open_holds: maxOpenHolds },
      {},
      "too_many_holds",
    ],
    ["that is not counted", { ...fresh, open_holds: maxOpenHolds }, { address: null }, "held"],
  ])("%s", (_name, snapshot, changes, outcome) => {
    const decision = decideHold(snapshot, hold(changes));
    expect(decision.result.outcome).toBe(outcome);
    if (outcome !== "held") expect(decision).toEqual({ result: { outcome }, changes: null });
  });
});

describe("the end of a session's hold", () => {
  test("gives back pieces, coupon use and the address's place", () => {
    expect(decideHoldRelease({ ...fresh, session: held }, release())).toEqual({
      result: { outcome: "released" },
      changes: orderChanges({
        session: { ...held, hold: null, sweep_at: null },
        stock: heldPieces(-1),
        coupons: [{ ...use, used_delta: -1, guarded: false }],
        open_hold: { address, delta: -1 },
      }),
    });
  });

  test("of one that counts for no address frees none", () => {
    const uncounted = { ...held, hold: { ...taken, address: null } };
    const decision = decideHoldRelease({ ...fresh, session: uncounted }, release());
    expect(decision.changes?.open_hold).toBeNull();
  });

  test.each<[string, SessionRecord | null, Partial<HoldRelease>, string]>([
    ["by the call that took it", held, { token: "call_1" }, "released"],
    ["by another call", held, { token: "call_2" }, "unchanged"],
    ["at its end", held, { ended_by: until }, "released"],
    ["before its end", held, { ended_by: until - 1 }, "unchanged"],
    ["of a session without one", session, {}, "unchanged"],
    [
      "of a session without one, by a call",
      session,
      { token: "call_1", ended_by: until },
      "unchanged",
    ],
    ["of an unknown session", null, {}, "unknown_session"],
  ])("%s", (_name, record, changes, outcome) => {
    const decision = decideHoldRelease({ ...fresh, session: record }, release(changes));
    expect(decision.result).toEqual({ outcome });
    expect(decision.changes === null).toBe(outcome !== "released");
  });
});
