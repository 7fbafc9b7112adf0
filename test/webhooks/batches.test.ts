import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Settled, Settlement } from "../../src/rules/webhooks/webhook-records.ts";
import { createSettlementBatches } from "../../src/webhooks/send/settlement-batches.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const settlement = (event: number): Settlement => ({
  store_id: "str_a",
  endpoint_id: "we_1",
  event_id: `evt_${event}`,
  lease_token: "lease",
  delivered: true,
  due_at: null,
  alert_id: "",
  log: { started_at: 0, duration_ms: 1, status: 200, error: null, snippet: null },
});

/** Batches over a storage that fails as often as the test says. */
function setUp(failures = 0) {
  const batchSizes: number[] = [];
  const triedAt: number[] = [];
  const errors: unknown[] = [];
  const settled: Settled[] = [];
  const lost = new Set<string>();
  const started = Date.now();
  let left = failures;

  const ctx = {
    now: () => Date.now(),
    onError: (error: unknown) => void errors.push(error),
    store: {
      async settleDeliveries(batch: readonly Settlement[]): Promise<Settled> {
        triedAt.push(Date.now() - started);
        if (left > 0) {
          left -= 1;
          throw new Error("down");
        }
        batchSizes.push(batch.length);
        const outcomes = batch.map(({ event_id }) => (lost.has(event_id) ? null : "delivered"));
        const failure = outcomes.includes(null) ? { failure: "a node is lost" } : {};
        return { outcomes, disabled: [], ...failure };
      },
      skipDeliveries: async () => 0,
      findDestinations: async (ids: readonly string[]) => ids.map((id) => ({ id })),
    },
  };
  const batches = createSettlementBatches(
    ctx as unknown as Parameters<typeof createSettlementBatches>[0],
    (each) => void settled.push(each),
  );
  return { batches, batchSizes, triedAt, errors, settled, lost };
}

test("outcomes wait 100 ms for others, and the thirty-second is written at once", async () => {
  const { batches, batchSizes } = setUp();
  for (let event = 0; event < 31; event += 1) batches.add(settlement(event));
  await vi.advanceTimersByTimeAsync(99);
  expect(batchSizes).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(batchSizes).toEqual([31]);

  for (let event = 0; event < 32; event += 1) batches.add(settlement(event));
  await vi.advanceTimersByTimeAsync(0);
  expect(batchSizes).toEqual([31, 32]);
});

test("a batch has 256 outcomes at most, and with 512 unwritten ones the drain is behind", async () => {
  const { batches, batchSizes } = setUp(1);
  for (let event = 0; event < 32; event += 1) batches.add(settlement(event));
  await vi.advanceTimersByTimeAsync(0);

  for (let event = 0; event < 511; event += 1) batches.add(settlement(event));
  expect(batches.isBehind()).toBe(false);
  batches.add(settlement(512));
  expect(batches.isBehind()).toBe(true);

  const written = batches.writeAll();
  await vi.advanceTimersByTimeAsync(1_000);
  await written;
  expect(batchSizes).toEqual([32, 256, 256]);
  expect(batches.isBehind()).toBe(false);
});

test("a batch is tried three times, after half a second and a second, and then left to its leases", async () => {
  const { batches, batchSizes, triedAt, errors, settled } = setUp(3);
  batches.add(settlement(1));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(triedAt).toEqual([100, 600, 1_600]);
  expect(errors).toHaveLength(3);
  expect([batchSizes, settled]).toEqual([[], []]);

  batches.add(settlement(2));
  await vi.advanceTimersByTimeAsync(100);
  expect(batchSizes).toEqual([1]);
});

test("a batch that succeeds at its second try is counted once", async () => {
  const { batches, triedAt, settled } = setUp(1);
  batches.add(settlement(1));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(triedAt).toEqual([100, 600]);
  expect(settled).toHaveLength(1);
});

test("what the storage could not write with the others is tried again, and nothing waits for it", async () => {
  const { batches, settled, errors, lost } = setUp();
  lost.add("evt_1");
  for (let event = 0; event < 32; event += 1) batches.add(settlement(event));
  await vi.advanceTimersByTimeAsync(0);
  expect(settled.flatMap(({ outcomes }) => outcomes).filter((each) => each === null)).toHaveLength(
    1,
  );

  for (let event = 32; event < 64; event += 1) batches.add(settlement(event));
  await vi.advanceTimersByTimeAsync(0);
  expect(settled).toHaveLength(2);

  lost.clear();
  const written = batches.writeAll();
  await vi.advanceTimersByTimeAsync(500);
  await written;
  expect(settled.at(-1)?.outcomes).toEqual(["delivered"]);
  expect(errors).toEqual(["a node is lost"]);
});

test("what can never be written is tried three times", async () => {
  const { batches, triedAt, errors, lost } = setUp();
  lost.add("evt_1");
  batches.add(settlement(1));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(triedAt).toEqual([100, 600, 1_600]);
  expect(errors).toHaveLength(3);
});
