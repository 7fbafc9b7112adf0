import { decideClosing, decideFailing } from "../rules/order-closing.ts";
import { decideCompletion } from "../rules/order-completion.ts";
import { decidePayment } from "../rules/order-payment.ts";
import { decideSubmission } from "../rules/order-submission.ts";
import { decideReturn, decideReturnResult } from "../rules/payment-return.ts";
import { decideHold, decideHoldRelease } from "../rules/session-hold.ts";
import type { OrderStore } from "../storage/order-store.ts";
import { carryOut } from "./order-changes.ts";
import { loadBySession } from "./order-snapshot.ts";
import { orderStep } from "./order-step.ts";
import { type MemoryState, rowKey } from "./state.ts";

type OrderSteps = Pick<
  OrderStore,
  | "submitSession"
  | "applyPayment"
  | "completeSession"
  | "closeSession"
  | "failOrder"
  | "holdSession"
  | "releaseHold"
  | "startReturn"
  | "settleReturn"
>;

/** Makes the steps of an order. Each loads, decides and writes without an `await` in between. */
export function memoryOrderSteps(state: MemoryState): OrderSteps {
  const { notifications } = state.orders;
  const onOrder = orderStep(state);

  return {
    async submitSession(command) {
      const { buyer, ids, session_id } = command;
      const told = { buyer, new_customer_id: ids.customer, reference: null };
      const snapshot = loadBySession(state, command, session_id, told);
      return carryOut(state, command, snapshot, decideSubmission(snapshot, command));
    },

    async applyPayment(command) {
      const { attempt_id, session_id, notification_id } = command;
      const reference = command.result.payment_reference ?? command.result.reference;
      const told = { buyer: null, new_customer_id: "", reference };
      const snapshot = loadBySession(state, command, session_id, told);
      const attempt = snapshot.attempts.find(({ id }) => id === attempt_id);
      if (!attempt) return { outcome: "unknown_attempt" };

      const key = rowKey(command, `${attempt.gateway}\n${notification_id}`);
      const seen = notification_id !== undefined && notifications.has(key);
      if (notification_id !== undefined) notifications.add(key);

      return carryOut(state, command, snapshot, decidePayment(snapshot, command, seen));
    },

    async completeSession(command) {
      const { buyer, ids, session_id, reference } = command;
      const told = { buyer, new_customer_id: ids.customer, reference };
      const snapshot = loadBySession(state, command, session_id, told);
      return carryOut(state, command, snapshot, decideCompletion(snapshot, command));
    },

    async closeSession(command) {
      const snapshot = loadBySession(state, command, command.session_id);
      return carryOut(state, command, snapshot, decideClosing(snapshot, command));
    },

    async holdSession(command) {
      const { session_id, new_customer_id, address } = command;
      const told = { buyer: null, new_customer_id, reference: null, address };
      const snapshot = loadBySession(state, command, session_id, told);
      return carryOut(state, command, snapshot, decideHold(snapshot, command));
    },

    async releaseHold(command) {
      const snapshot = loadBySession(state, command, command.session_id);
      return carryOut(state, command, snapshot, decideHoldRelease(snapshot, command));
    },

    failOrder: onOrder(decideFailing),
    startReturn: onOrder(decideReturn),
    settleReturn: onOrder(decideReturnResult),
  };
}
