import { expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import type { ClaimedDelivery } from "../../src/rules/webhooks/webhook-records.ts";
import type { Claim } from "../../src/storage/webhook-store.ts";
import { createClaimer } from "../../src/webhooks/drain/claimer.ts";
import { createDestinations } from "../../src/webhooks/drain/destinations.ts";
import type { DrainContext, DrainCounts } from "../../src/webhooks/drain/drain-context.ts";
import { readDrainOptions } from "../../src/webhooks/drain/drain-options.ts";
import { EndpointQueues } from "../../src/webhooks/drain/endpoint-queues.ts";
import { createReleases } from "../../src/webhooks/drain/releases.ts";

const leased = (endpoint_id: string, event: number) => ({
  delivery: { endpoint_id, event_id: `evt_${event}` } as ClaimedDelivery,
  token: "t",
  start_by: 0,
});

/** A claimer whose releases are settled when the test says so. */
function setUp() {
  const { webhooks } = memoryStorage();
  const claims: Claim[] = [];
  const store = {
    ...webhooks,
    claimDeliveries(claim: Claim) {
      claims.push(claim);
      return webhooks.claimDeliveries(claim);
    },
  };
  const ctx = {
    store,
    leaseMs: 60_000,
    now: Date.now,
    monotonicNow: () => performance.now(),
    newToken: () => "t",
    onError(error: unknown) {
      throw error;
    },
  } as unknown as DrainContext;
  const counts = { attempted: 0, released: 0 } as DrainCounts;
  const queues = new EndpointQueues(4, ctx.monotonicNow);
  const unread = { queues, endpointGone: () => {}, onRead: () => {} };
  const destinations = createDestinations(ctx, unread);

  let settle = (): void => {};
  const settled = new Promise<void>((done) => {
    settle = done;
  });
  const releases = { ...createReleases(ctx, counts), settled: () => settled };
  const settings = readDrainOptions({}, ctx.leaseMs);
  const claimer = createClaimer(ctx, { settings, counts, queues, releases, destinations });
  return { claimer, claims, queues, settle };
}

test("a claim is measured when it is made, not when it was decided: it never asks for less than one", async () => {
  const { claimer, claims, queues, settle } = setUp();
  const claiming = claimer.claim();
  for (let event = 0; event < 600; event += 1) queues.add(leased(`we_${event % 200}`, event));
  settle();
  await claiming;
  expect(claims).toEqual([]);
});

test("while the queues are full, only endpoints with nothing leased are claimed for", async () => {
  const { claimer, claims, queues, settle } = setUp();
  for (let event = 0; event < 250; event += 1) queues.add(leased(`we_${event % 10}`, event));
  settle();
  expect(claimer.isWorthClaiming()).toBe(true);
  await claimer.claim();
  expect(claims).toHaveLength(1);
  expect(claims[0]).toMatchObject({ limit: 2 * 256 - 250, per_endpoint: 4 });
  expect(claims[0]?.quota_by_endpoint).toEqual(
    Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`we_${n}`, 0])),
  );
});

test("a free slot goes to an endpoint without an open send before it goes to any other", () => {
  const queues = new EndpointQueues(4, () => 0);
  for (let event = 0; event < 8; event += 1) queues.add(leased(event % 2 ? "we_b" : "we_a", event));
  const take = () => queues.takeNext(() => true)?.delivery.endpoint_id;
  expect([take(), take(), take()]).toEqual(["we_a", "we_b", "we_a"]);
  queues.add(leased("we_c", 9));
  expect([take(), take()]).toEqual(["we_c", "we_b"]);
  expect(queues.takeNext((id) => id === "we_c")).toBeUndefined();
  expect(queues.hasReady()).toBe(true);
});
