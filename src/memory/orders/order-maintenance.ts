import { by } from "../../rows/page.ts";
import { claimRows } from "../../rows/work.ts";
import { withReservationSettled } from "../../rules/orders/order-record.ts";
import type { AttemptRecord } from "../../rules/payments/payment-records.ts";
import type { AttemptNames, OrderStore, OrdersOfAllStores } from "../../storage/order-store.ts";
import { raiseAlert } from "../access/alerts.ts";
import { workRows } from "../clock/work-rows.ts";
import { rowKey } from "../row-key.ts";
import type { MemoryState } from "../state.ts";

type Maintenance = OrdersOfAllStores & Pick<OrderStore, "settleReservation" | "raiseOrderAlert">;

/**
 * Does what spans stores: it finds work that is due, and the payment that a
 * gateway's message is about.
 */
export function memoryMaintenance(state: MemoryState): Maintenance {
  const { orders, attempts } = state.orders;
  const work = workRows(state);

  return {
    claimWork: async (kind, claim) => claimRows(work, kind, claim),

    async settleReservation(partition, order_id) {
      const key = rowKey(partition, order_id);
      const order = orders.get(key);
      const settled = order && withReservationSettled(order);
      if (settled) orders.set(key, settled);
    },

    raiseOrderAlert: async (alert) => void raiseAlert(state, alert, alert.created_at),

    findAttempts: async (names) =>
      [...attempts.values()]
        .filter((attempt) => isNamed(state, attempt, names))
        .sort(by("-created_at", "-id")),
  };
}

function isNamed(state: MemoryState, attempt: AttemptRecord, names: AttemptNames): boolean {
  if (attempt.id === names.payment_id) return true;

  const isSameAccount =
    attempt.gateway === names.gateway &&
    attempt.livemode === names.livemode &&
    attempt.account === names.account;
  if (!isSameAccount) return false;

  const carriers = names.references.map((reference) =>
    state.orders.attempts_by_reference.get(rowKey(attempt, reference)),
  );
  return carriers.some((ids) => ids?.has(attempt.id));
}
