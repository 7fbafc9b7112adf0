import type { FailureCode } from "../contract/schemas.ts";
import { attemptTime, hasOtherInFlight, hostAttempt, hostGateway } from "./order-attempt.ts";
import { type Decision, orderChanges, withoutChanges } from "./order-changes.ts";
import type { Completion, CompletionResult } from "./order-commands.ts";
import { customerOf } from "./order-customer.ts";
import { EventDrafts } from "./order-events.ts";
import { isPaid, newOrder } from "./order-record.ts";
import type { OrderSnapshot } from "./order-snapshot.ts";
import { failOrder, noteDuplicate, payOrder } from "./order-transitions.ts";
import type { AttemptRecord } from "./payment-records.ts";
import type { OrderRecord, SessionRecord } from "./records.ts";

/** `checkout.complete`: the money is there already, so only a wrong amount refuses it. */
export function decideCompletion(
  snapshot: OrderSnapshot,
  command: Completion,
): Decision<CompletionResult> {
  const { session, attempts, order } = snapshot;
  const { ids, now, external_stock } = command;
  if (!session) return withoutChanges({ outcome: "unknown_session" });

  const repeated = findRepeated(attempts, command);
  const maySucceedNow = repeated?.state === "failed" && command.status === "paid";
  if (repeated && order && !maySucceedNow) return withoutChanges({ outcome: "unchanged", order });
  if (command.amount !== session.amount_total || command.currency !== session.currency)
    return withoutChanges({ outcome: "mismatch", order });

  const base = completedOrder(order, session, command);
  const failure_code = command.status === "paid" ? null : (command.failure_code ?? "declined");
  const id = repeated?.id ?? command.attempt_id;
  const attempt: AttemptRecord = {
    ...hostAttempt(base, { id, reference: command.reference, failure_code, now }),
    created_at: repeated?.created_at ?? attemptTime(attempts, now),
  };

  if (failure_code !== null) {
    const failure = { order: base, attempt, code: failure_code };
    return order
      ? failKnownOrder({ ...snapshot, order }, failure, command)
      : failNewOrder(session, failure, command);
  }
  if (order && isPaid(order.status)) return noteDuplicate({ order, attempt, ids, now });

  const payment = { order: base, session, attempt, ids, now, external_stock };
  const paid = payOrder(snapshot, payment);
  return { result: { outcome: "paid", order: paid.order }, changes: paid.changes };
}

/** The attempt of the same call, or the host's attempt with the same reference. */
const findRepeated = (attempts: readonly AttemptRecord[], command: Completion) =>
  attempts.find(
    ({ id, gateway, reference }) =>
      id === command.attempt_id || (gateway === hostGateway && reference === command.reference),
  );

/** The session's order with what the host tells of it. It is new when there was none. */
function completedOrder(
  order: OrderRecord | null,
  session: SessionRecord,
  { ids, buyer, now, payment_method_type }: Completion,
): OrderRecord {
  if (!order) return { ...newOrder(session, ids, buyer, now), payment_method_type };
  return {
    ...order,
    customer: customerOf(session, order, buyer, ids.customer),
    payment_method_type: payment_method_type ?? order.payment_method_type,
  };
}

interface HostFailure {
  /** The order with what the host tells of it. */
  readonly order: OrderRecord;
  readonly attempt: AttemptRecord;
  readonly code: FailureCode;
}

function failKnownOrder(
  snapshot: OrderSnapshot & { readonly order: OrderRecord },
  { order: base, attempt, code }: HostFailure,
  { ids, now }: Completion,
): Decision<CompletionResult> {
  const { order, attempts } = snapshot;
  if (order.status !== "pending" || hasOtherInFlight(attempts, attempt))
    return {
      result: { outcome: "unchanged", order },
      changes: orderChanges({ order, attempts: [attempt] }),
    };

  const failed = failOrder(snapshot, { order: base, code, attempts: [attempt], ids, now });
  return { result: { outcome: "failed", order: failed.order }, changes: failed.changes };
}

/** The session's first payment failed: the order is created and fails in one step. */
function failNewOrder(
  session: SessionRecord,
  { order: base, attempt, code }: HostFailure,
  { ids, now }: Completion,
): Decision<CompletionResult> {
  if (now >= session.expires_at) return withoutChanges({ outcome: "session_expired" });

  const order: OrderRecord = { ...base, status: "failed", failure_code: code, sweep_at: null };
  const events = new EventDrafts(ids.events, now);
  events.order("order.created", { ...base, status: "pending" }, null);
  events.order("order.failed", order, "pending");
  return {
    result: { outcome: "failed", order },
    changes: orderChanges({ order, attempts: [attempt], events: events.list }),
  };
}
