import {
  decideAgreed,
  type MethodAgreed,
  type MethodTaken,
} from "../rules/subscriptions/methods/agreement.ts";
import type { StepStore } from "../storage/step-store.ts";
import { runStep } from "./run-step.ts";
import { ofPeriod } from "./subscription-steps.ts";

/** Has the later periods of a subscription charged by a method that the buyer has agreed to. */
export const takeAgreed = (steps: StepStore, command: MethodAgreed): Promise<MethodTaken> =>
  runStep(steps, ofPeriod("takeAgreed", command, { reference: null }), command, decideAgreed);
