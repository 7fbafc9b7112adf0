import { isIn } from "../../rows/page.ts";
import { movedEarlier, testWorkOf } from "../../rows/work.ts";
import type { TestWork } from "../../rules/clock/test-clock.ts";
import type { StoredDelivery } from "../../rules/webhooks/deliveries.ts";
import type { MemoryState } from "../state.ts";
import { putDelivery } from "../webhooks/webhook-state.ts";
import { workRows } from "./work-rows.ts";

/** Tells what waits in the test mode of a store at this time. */
export function testWork(state: MemoryState, store_id: string, now: number): TestWork {
  const { endpoints } = state.webhooks;
  const deliveries = testDeliveries(state, store_id).filter(
    ({ endpoint_id }) => endpoints.get(endpoint_id)?.state === "enabled",
  );
  return testWorkOf(workRows(state), deliveries, { store_id, now });
}

/** Moves what waits for a real time. The other tables are read in the time of their mode. */
export function moveTestWork(state: MemoryState, store_id: string, ms: number): void {
  for (const delivery of testDeliveries(state, store_id)) {
    const moved = movedEarlier(delivery, ms);
    if (moved) putDelivery(state.webhooks, moved);
  }
}

const testDeliveries = ({ webhooks }: MemoryState, store_id: string): readonly StoredDelivery[] =>
  [...webhooks.deliveries.values()].filter(
    (delivery) => delivery.state === "pending" && isIn({ store_id, livemode: false }, delivery),
  );
