import { decideDispute, decideDisputeClosed } from "../rules/order-dispute.ts";
import { decideRefund } from "../rules/order-refund.ts";
import type { OrderSnapshot } from "../rules/order-snapshot.ts";
import type { Partition } from "../rules/records.ts";
import type { NamedMoney } from "../rules/refund-commands.ts";
import { decideRefundMessage, findMoney } from "../rules/refund-message.ts";
import { decideRefundResult } from "../rules/refund-settlement.ts";
import type { OrderStore } from "../storage/order-store.ts";
import { orderStep } from "./order-step.ts";
import { type MemoryState, rowKey } from "./state.ts";

type RefundSteps = Pick<
  OrderStore,
  | "reserveRefund"
  | "settleRefund"
  | "applyRefundMessage"
  | "openDispute"
  | "closeDispute"
  | "findRefund"
  | "listRefunds"
>;

/**
 * Makes the steps of refunds and disputes. Each loads, decides and writes without
 * an `await` in between.
 */
export function memoryRefunds(state: MemoryState): RefundSteps {
  const { refunds } = state.orders;
  const onOrder = orderStep(state);

  return {
    reserveRefund: onOrder(decideRefund),
    settleRefund: onOrder(decideRefundResult),

    applyRefundMessage: onOrder((snapshot, command) =>
      decideRefundMessage(snapshot, command, noteMessage(state, command, snapshot, command.money)),
    ),

    openDispute: onOrder((snapshot, command) =>
      decideDispute(snapshot, command, noteMessage(state, command, snapshot, command.money)),
    ),

    closeDispute: onOrder((snapshot, command) =>
      decideDisputeClosed(snapshot, command, noteMessage(state, command, snapshot, command.money)),
    ),

    findRefund: async (partition, id) => refunds.get(rowKey(partition, id)) ?? null,

    async listRefunds({ order_id, state: wanted, after, limit, ...partition }) {
      const matching = [...refunds.values()].filter(
        (refund) =>
          refund.store_id === partition.store_id &&
          refund.livemode === partition.livemode &&
          (order_id === undefined || refund.order_id === order_id) &&
          (wanted === undefined || refund.state === wanted) &&
          (after === undefined || refund.id < after),
      );
      return matching.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit + 1);
    },
  };
}

/**
 * Notes a message, and says whether it came before. A message whose money is
 * unknown to the order is not noted: it may be about another order, or be sent
 * again once the money is known.
 */
function noteMessage(
  state: MemoryState,
  partition: Partition,
  snapshot: OrderSnapshot,
  money: NamedMoney | null,
): boolean {
  if (!money || !findMoney(snapshot, money)) return false;

  const { notifications } = state.orders;
  const key = rowKey(partition, `${money.gateway}\n${money.notification_id}`);
  const isSeen = notifications.has(key);
  notifications.add(key);
  return isSeen;
}
