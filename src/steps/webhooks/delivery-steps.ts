import type { Partition } from "../../rules/records.ts";
import { decideResend, type ResendResult } from "../../rules/webhooks/resend.ts";
import type { DeliveryKey } from "../../rules/webhooks/webhook-records.ts";
import type { RecordStore } from "../../storage/record-store.ts";

/**
 * Sends once more, outside the schedule. When that fails, the delivery is what it was
 * before.
 */
export const resendDelivery = (
  records: RecordStore,
  { store_id, livemode }: Partition,
  { endpoint_id, event_id }: Omit<DeliveryKey, "store_id">,
  now: number,
): Promise<ResendResult> =>
  records.step<"delivery", ResendResult>(
    {
      on: "delivery",
      step: "resendDelivery",
      store_id,
      livemode,
      endpoint_id,
      id: event_id,
      may: "change",
    },
    ({ record }) => {
      const { result, queued } = decideResend(record, now);
      return record && queued ? { result, after: { ...record, delivery: queued } } : { result };
    },
  );
