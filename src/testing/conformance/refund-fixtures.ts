import type { OrderRecord } from "../../rules/records.ts";
import type { NamedMoney, RefundMessage, RefundReservation } from "../../rules/refund-commands.ts";
import type { CaseContext } from "./case.ts";
import { fixtures } from "./fixtures.ts";

/** Makes the commands that refund a paid order, each with ids of its own. */
export function refundFixtures(context: CaseContext) {
  const { storage, clock, newId } = context;
  const { orderIds, partition } = fixtures(context);

  const refund = (
    order: OrderRecord,
    asked: { readonly reference: string; readonly amount: number | null },
  ): RefundReservation => ({
    ...partition,
    order_id: order.id,
    refund: { id: newId("rf"), reason: null, ...asked },
    moved_by_host: false,
    refunding: ["sandbox"],
    sent_now: true,
    ids: orderIds(),
    now: clock.now(),
  });

  /** Makes a message of the provider about a refund of the order's payment. */
  const refundMessage = async (
    order: OrderRecord,
    told: Pick<NamedMoney, "notification_id"> &
      Pick<RefundMessage["news"], "reference" | "amount"> &
      Partial<Pick<RefundMessage["news"], "status">>,
  ): Promise<RefundMessage> => {
    const [paid] = await storage.orders.listPayments(partition, order.id);
    return {
      ...partition,
      order_id: order.id,
      money: {
        gateway: "sandbox",
        account: null,
        payment_reference: paid?.payment_reference ?? "",
        notification_id: told.notification_id,
      },
      refund_id: null,
      currency: order.currency,
      news: { status: "succeeded", failure_reason: null, ...told },
      ids: { ...orderIds(), refund: newId("rf") },
      now: clock.now(),
    };
  };

  return { refund, refundMessage };
}
