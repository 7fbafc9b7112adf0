import { expect, test } from "vitest";
import type { ClaimedDelivery } from "../../src/rules/webhooks/webhook-records.ts";
import { EndpointQueues } from "../../src/webhooks/drain/endpoint-queues.ts";

/** Queues with a clock of the test; `take` gives the endpoints that are sent to next. */
function setUp(slots = 2) {
  let now = 0;
  let event = 0;
  const queues = new EndpointQueues(slots, () => now);
  const add = (endpoint_id: string, count = 1, start_by = 1_000_000): void => {
    for (let index = 0; index < count; index += 1) {
      event += 1;
      const delivery = { endpoint_id, event_id: `evt_${event}` } as ClaimedDelivery;
      queues.add({ delivery, token: "t", start_by });
    }
  };
  const take = (count: number, isAllowed = (_id: string) => true): string[] =>
    Array.from({ length: count }, () => queues.takeNext(isAllowed)).flatMap((leased) =>
      leased ? [leased.delivery.endpoint_id] : [],
    );
  const advance = (ms: number): void => {
    now += ms;
  };
  return { queues, add, take, advance };
}

test("endpoints take turns, and each has its own slots alone", () => {
  const { queues, add, take } = setUp();
  add("a", 5);
  add("b", 5);
  add("c", 1);
  expect(take(10)).toEqual(["a", "b", "c", "a", "b"]);
  expect(queues.hasReady()).toBe(false);
  expect(queues.waiting).toBe(6);

  queues.sendEnded("a", "delivered");
  queues.sendEnded("b", "delivered");
  queues.sendEnded("a", "delivered");
  expect(take(10)).toEqual(["a", "b", "a"]);
});

test("an endpoint without an open send comes before those that have one", () => {
  const { add, take } = setUp();
  add("a", 5);
  expect(take(1)).toEqual(["a"]);
  add("b", 2);
  expect(take(3)).toEqual(["b", "a", "b"]);
});

test("two endpoints with an open send each take turns too", () => {
  const { add, take } = setUp(4);
  add("a", 4);
  add("b", 4);
  expect(take(8)).toEqual(["a", "b", "a", "b", "a", "b", "a", "b"]);
});

test("an endpoint that may not be sent to keeps its turn and takes no slot", () => {
  const { queues, add, take } = setUp();
  add("a", 1);
  add("b", 1);
  expect(take(2, (id) => id !== "a")).toEqual(["b"]);
  expect(queues.hasReady()).toBe(true);
  expect(take(1)).toEqual(["a"]);
});

test("after a timeout an endpoint has one slot, until it takes a delivery again", () => {
  const { queues, add, take } = setUp();
  add("a", 9);
  take(2);
  queues.sendEnded("a", "timeout");
  expect(take(2)).toEqual([]);
  queues.sendEnded("a", "failed");
  expect(take(2)).toEqual(["a"]);
  queues.sendEnded("a", "delivered");
  expect(take(3)).toEqual(["a", "a"]);
});

test("a quiet endpoint may lease its free slots, one that answers as much as it answered of late", () => {
  const { queues, add, take, advance } = setUp();
  add("a", 1);
  expect(queues.quotaByEndpoint()).toEqual({ a: 1 });
  take(1);
  expect(queues.quotaByEndpoint()).toEqual({ a: 1 });

  queues.sendEnded("a", "delivered");
  expect(queues.quotaByEndpoint()).toEqual({ a: 3 });
  add("a", 4);
  expect(queues.quotaByEndpoint()).toEqual({});
  expect(queues.isWorthClaiming("a")).toBe(false);

  advance(5_000);
  expect(queues.quotaByEndpoint()).toEqual({ a: 0 });
});

test("a claim for new endpoints takes nothing more of those that have something", () => {
  const { queues, add, take } = setUp();
  add("a", 1);
  add("b", 1);
  take(1);
  add("c", 1);
  take(1);
  queues.sendEnded("b", "delivered");
  expect(queues.quotaOfNewEndpoints()).toEqual({ a: 0, b: 3, c: 0 });
  expect(queues.waitingEndpoints()).toEqual(["c"]);
});

test("what stuck endpoints hold up does not count as startable", () => {
  const { queues, add, take, advance } = setUp();
  add("a", 5);
  add("b", 1);
  take(3);
  expect(queues.countStartable()).toBe(3);
  advance(250);
  expect(queues.countStartable()).toBe(3);
  advance(1);
  expect(queues.countStartable()).toBe(0);
  queues.sendEnded("a", "failed");
  expect(queues.countStartable()).toBe(3);
});

test("what can no more be sent within its lease is removed, and the rest keeps its order", () => {
  const { queues, add, take } = setUp();
  add("a", 1, 100);
  add("a", 1, 99);
  add("b", 1, 99);
  const late = queues.removeLate(100).map(({ delivery }) => delivery.event_id);
  expect(late).toEqual(["evt_2", "evt_3"]);
  expect(queues.waiting).toBe(1);
  expect(take(3)).toEqual(["a"]);
});

test("an endpoint that has changed loses what waits, and no other one does", () => {
  const { queues, add, take } = setUp();
  add("a", 3);
  add("b", 1);
  expect(queues.removeEndpoint("a")).toHaveLength(3);
  expect(queues.removeEndpoint("unknown")).toEqual([]);
  expect(queues.waiting).toBe(1);
  expect(take(5)).toEqual(["b"]);
  add("a", 1);
  expect(queues.removeAll()).toHaveLength(1);
  expect(queues.waiting).toBe(0);
});
