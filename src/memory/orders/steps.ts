import { keysWanted } from "../../rules/entitlements/key-pool.ts";
import { emptySnapshot, type OrderSnapshot } from "../../rules/orders/order-snapshot.ts";
import { orderAfterEnd } from "../../rules/subscriptions/subscription-record.ts";
import type { StepStore, StepSubject, SubscriptionSubject } from "../../storage/step-store.ts";
import { written } from "../access/written.ts";
import { testOffset } from "../clock/test-offset.ts";
import { findPoolKeys } from "../records/pool-rows.ts";
import { type MemoryState, rowKey } from "../state.ts";
import { findKey, putKey } from "./idempotency-keys.ts";
import { carryOut } from "./order-changes.ts";
import { attemptsElsewhere, loadByOrder, loadBySession } from "./order-snapshot.ts";

/** Makes the steps. Each loads, decides and writes without an `await` in between. */
export const memorySteps = (state: MemoryState): StepStore => ({
  async step(subject, decide) {
    const { message } = subject;
    const message_seen = message ? state.orders.notifications.has(messageKey(subject)) : false;
    const offset = testOffset(state, subject);
    const key = subject.on === "session" && subject.key ? findKey(state, subject.key) : null;
    const loaded = load(state, subject);
    const pools = findPoolKeys(state, subject, keysWanted(subject, loaded));
    const found = { ...loaded, pools, message_seen, offset, key };
    const decision = decide(found);
    if (decision.key) putKey(state, decision.key);
    if (decision.message) state.orders.notifications.add(messageKey(subject));
    return written(state, carryOut(state, subject, found, decision), subject.author);
  },
});

const messageKey = (subject: StepSubject): string =>
  rowKey(subject, `${subject.message?.gateway}\n${subject.message?.notification_id}`);

function load(state: MemoryState, subject: StepSubject): OrderSnapshot {
  switch (subject.on) {
    case "session":
      return loadBySession(state, subject);
    case "order":
      return loadByOrder(state, subject, subject.order_id);
    case "subscription":
      return loadBySubscription(state, subject);
  }
}

function loadBySubscription(state: MemoryState, subject: SubscriptionSubject): OrderSnapshot {
  const { by_period, subscriptions } = state.orders;
  const { subscription_id, period_start, reference } = subject;
  const subscription = subscriptions.get(rowKey(subject, subscription_id)) ?? null;
  if (period_start === null) return { ...emptySnapshot, subscription };

  const of_period = by_period.get(rowKey(subject, `${subscription_id}\n${period_start}`));
  const order_id = of_period ?? orderAfterEnd(subscription);
  const loaded = order_id === null ? emptySnapshot : loadByOrder(state, subject, order_id);
  const elsewhere = attemptsElsewhere(state, subject, loaded.order, reference);
  return { ...loaded, elsewhere, subscription };
}
