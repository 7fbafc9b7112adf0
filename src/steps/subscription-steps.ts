import type { Partition } from "../rules/records.ts";
import {
  decideForgotten,
  type MethodsForgotten,
  type MethodsLeft,
} from "../rules/subscriptions/methods/forget-methods.ts";
import {
  decideMethodGone,
  type MethodGone,
  type MethodStopped,
} from "../rules/subscriptions/methods/method-gone.ts";
import {
  decideUnused,
  type MethodKept,
  type MethodSorted,
} from "../rules/subscriptions/methods/unused-method.ts";
import {
  decideCharge,
  type RenewalCharge,
  type RenewalCharged,
} from "../rules/subscriptions/renewal-charge.ts";
import type { RenewedPeriod } from "../rules/subscriptions/renewed-period.ts";
import { decideCancel } from "../rules/subscriptions/subscription-cancel.ts";
import { decideSubscriptionChange } from "../rules/subscriptions/subscription-change.ts";
import type {
  Renewal,
  RenewalResult,
  SubscriptionCancel,
  SubscriptionCanceled,
  SubscriptionChange,
  SubscriptionChanged,
} from "../rules/subscriptions/subscription-commands.ts";
import { decideRenewal } from "../rules/subscriptions/subscription-renewal.ts";
import type { StepStore, SubscriptionSubject } from "../storage/step-store.ts";
import { runStep } from "./run-step.ts";

interface SubscriptionCommand extends Partition {
  readonly subscription_id: string;
}

const subscription = (
  step: string,
  { store_id, livemode, subscription_id }: SubscriptionCommand,
  of: Pick<SubscriptionSubject, "period_start" | "reference" | "message">,
): SubscriptionSubject => ({
  on: "subscription",
  step,
  store_id,
  livemode,
  subscription_id,
  ...of,
});

/** Names a period of a subscription, with what the step reads of its money. */
export const ofPeriod = (
  step: string,
  { period_start, ...command }: SubscriptionCommand & RenewedPeriod,
  of: Pick<SubscriptionSubject, "reference" | "message">,
): SubscriptionSubject => subscription(step, command, { period_start, ...of });

/** Begins the charge of the next period, by the saved method of the buyer. */
export const chargeRenewal = (steps: StepStore, command: RenewalCharge): Promise<RenewalCharged> =>
  runStep(steps, ofPeriod("chargeRenewal", command, { reference: null }), command, decideCharge);

/** Notes which saved methods the gateways have forgotten. */
export const noteForgotten = (steps: StepStore, command: MethodsForgotten): Promise<MethodsLeft> =>
  runStep(
    steps,
    subscription("noteForgotten", command, { period_start: null, reference: null }),
    command,
    (found, timed) => decideForgotten(found.subscription, timed),
  );

/** Plans that the gateway forgets a saved method when the subscription does not use it. */
export const sortKept = (steps: StepStore, command: MethodKept): Promise<MethodSorted> =>
  runStep(
    steps,
    subscription("sortKept", command, { period_start: null, reference: null }),
    command,
    (found, timed) => decideUnused(found.subscription, timed),
  );

/** Stops the charges of a saved method that its provider has ended. */
export const noteMethodGone = (steps: StepStore, command: MethodGone): Promise<MethodStopped> =>
  runStep(
    steps,
    subscription("noteMethodGone", command, { period_start: null, reference: null }),
    command,
    (found, timed) => decideMethodGone(found.subscription, timed),
  );

/** Books how the payment of a period ended, as the host tells it. */
export function renew(steps: StepStore, command: Renewal): Promise<RenewalResult> {
  const { period_start, reference } = command;
  const subject = subscription("renew", command, { period_start, reference });
  return runStep(steps, subject, command, decideRenewal);
}

/** Changes a subscription from its next period on. */
export const changeSubscription = (
  steps: StepStore,
  command: SubscriptionChange,
): Promise<SubscriptionChanged> =>
  runStep(
    steps,
    subscription("changeSubscription", command, { period_start: null, reference: null }),
    command,
    (found, timed) => decideSubscriptionChange(found.subscription, timed),
  );

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
