import {
  type Activation,
  type ActivationResult,
  type Deactivation,
  decideActivation,
  decideDeactivation,
} from "../rules/entitlements/license.ts";
import type { OrderSubject, StepStore } from "../storage/step-store.ts";
import { runStep } from "./run-step.ts";

const ofOrder = (
  step: string,
  { store_id, livemode, order_id }: Activation | Deactivation,
): OrderSubject => ({ on: "order", step, store_id, livemode, order_id, needs: "history" });

/** Activates a license key. The lock on its order makes calls at once keep to the limit. */
export const activateLicense = (steps: StepStore, command: Activation): Promise<ActivationResult> =>
  runStep(steps, ofOrder("activateLicense", command), command, decideActivation);

/** Ends an activation of a license key. */
export const deactivateLicense = (
  steps: StepStore,
  command: Deactivation,
): ReturnType<typeof runStep<Deactivation, ReturnType<typeof decideDeactivation>["result"]>> =>
  runStep(steps, ofOrder("deactivateLicense", command), command, decideDeactivation);
