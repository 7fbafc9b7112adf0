import type {
  DisputeClosing,
  DisputeOpening,
  DisputeResult,
} from "../rules/disputes/dispute-commands.ts";
import { decideDispute, decideDisputeClosed } from "../rules/disputes/order-dispute.ts";
import {
  type Decision,
  type OrderChanges,
  orderChanges,
  withMessage,
} from "../rules/orders/order-changes.ts";
import { decideFailing } from "../rules/orders/order-closing.ts";
import type { Failing, FailingResult } from "../rules/orders/order-commands.ts";
import type { OrderSnapshot } from "../rules/orders/order-snapshot.ts";
import type {
  PaymentReturn,
  PaymentReturned,
  ReturnSettlement,
  ReturnStarted,
} from "../rules/payments/return-commands.ts";
import { decideReturn, decideReturnResult } from "../rules/payments/return-decisions.ts";
import { decideRefund } from "../rules/refunds/order-refund.ts";
import type {
  NamedMoney,
  RefundMessage,
  RefundMessageResult,
  RefundReservation,
  RefundReserved,
  RefundSettled,
  RefundSettlement,
} from "../rules/refunds/refund-commands.ts";
import { decideRefundMessage, findMoney } from "../rules/refunds/refund-message.ts";
import { decideRefundResult } from "../rules/refunds/refund-settlement.ts";
import type { StepStore } from "../storage/step-store.ts";
import { history, type OrderCommand, runStep } from "./run-step.ts";

/** Ends an order that is not paid. */
export const failOrder = (steps: StepStore, command: Failing): Promise<FailingResult> =>
  runStep(steps, { ...history("failOrder", command), needs: "goods" }, command, decideFailing);

/** Reserves the amount of a refund, before the gateway is asked to move it. */
export const reserveRefund = (
  steps: StepStore,
  command: RefundReservation,
): Promise<RefundReserved> =>
  runStep(steps, history("reserveRefund", command), command, decideRefund);

/** Writes what became of a refund that a gateway was asked for. */
export const settleRefund = (steps: StepStore, command: RefundSettlement): Promise<RefundSettled> =>
  runStep(steps, { ...history("settleRefund", command), fills: true }, command, decideRefundResult);

/** Applies a gateway's message about a refund. */
export const applyRefundMessage = (
  steps: StepStore,
  command: RefundMessage,
): Promise<RefundMessageResult> =>
  byMessage(steps, "applyRefundMessage", command, (found, timed) =>
    decideRefundMessage(found, timed, found.message_seen),
  );

/** Records a dispute, as a gateway or the host tells it. */
export const openDispute = (steps: StepStore, command: DisputeOpening): Promise<DisputeResult> =>
  byMessage(steps, "openDispute", command, (found, timed) =>
    decideDispute(found, timed, found.message_seen),
  );

/** Records how a dispute ended. */
export const closeDispute = (steps: StepStore, command: DisputeClosing): Promise<DisputeResult> =>
  byMessage(steps, "closeDispute", command, (found, timed) =>
    decideDisputeClosed(found, timed, found.message_seen),
  );

/** Begins the return of money that paid for nothing. */
export const startReturn = (steps: StepStore, command: PaymentReturn): Promise<ReturnStarted> =>
  runStep(steps, history("startReturn", command), command, decideReturn);

/** Writes the result of a return. */
export const settleReturn = (
  steps: StepStore,
  command: ReturnSettlement,
): Promise<PaymentReturned> =>
  runStep(steps, history("settleReturn", command), command, decideReturnResult);

/** Takes an alert back, under the lock of an order that shows why. */
export const withdrawAlert = (
  steps: StepStore,
  order: OrderCommand,
  alert: OrderChanges["withdrawn"][number],
): Promise<void> =>
  steps.step(history("withdrawAlert", order), () => ({
    result: undefined,
    changes: orderChanges({ withdrawn: [alert] }),
  }));

interface MessageCommand extends OrderCommand {
  /** The money that a gateway's message is about. Null means that the host tells it. */
  readonly money: NamedMoney | null;
  readonly now: number;
}

/**
 * Makes a step that a message of a gateway may bring. A message whose money is
 * unknown to the order is not noted: it may be about another order, or be sent again
 * once the money is known.
 */
function byMessage<Command extends MessageCommand, Result>(
  steps: StepStore,
  step: string,
  command: Command,
  decide: (found: OrderSnapshot, command: Command) => Decision<Result>,
): Promise<Result> {
  const { money, now } = command;
  const message = money && {
    gateway: money.gateway,
    notification_id: money.notification_id,
    now,
  };
  const subject = { ...history(step, command, message), fills: true } as const;
  return runStep(steps, subject, command, (found, timed) => {
    const decision = decide(found, timed);
    return money && findMoney(found, money) ? withMessage(decision, message, found) : decision;
  });
}
