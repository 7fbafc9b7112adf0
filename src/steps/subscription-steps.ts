import type {
  Renewal,
  RenewalResult,
  SubscriptionCancel,
  SubscriptionCanceled,
} from "../rules/orders/order-commands.ts";
import type { Partition } from "../rules/records.ts";
import { decideCancel } from "../rules/subscriptions/subscription-cancel.ts";
import { decideRenewal } from "../rules/subscriptions/subscription-renewal.ts";
import type { StepStore, SubscriptionSubject } from "../storage/step-store.ts";
import { runStep } from "./run-step.ts";

interface SubscriptionCommand extends Partition {
  readonly subscription_id: string;
}

const subscription = (
  step: string,
  { store_id, livemode, subscription_id }: SubscriptionCommand,
  of: Pick<SubscriptionSubject, "period_start" | "reference">,
): SubscriptionSubject => ({
  on: "subscription",
  step,
  store_id,
  livemode,
  subscription_id,
  ...of,
});

/** Books how the payment of a period ended, as the host tells it. */
export function renew(steps: StepStore, command: Renewal): Promise<RenewalResult> {
  const { period_start, reference } = command;
  const subject = subscription("renew", command, { period_start, reference });
  return runStep(steps, subject, command, decideRenewal);
}

/** Ends a subscription, now or with its period. */
export const cancelSubscription = (
  steps: StepStore,
  command: SubscriptionCancel,
): Promise<SubscriptionCanceled> =>
  runStep(
    steps,
    subscription("cancelSubscription", command, { period_start: null, reference: null }),
    command,
    (found, timed) => decideCancel(found.subscription, timed),
  );
