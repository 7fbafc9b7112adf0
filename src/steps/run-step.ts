import type { Decision } from "../rules/orders/order-changes.ts";
import type { OrderSnapshot } from "../rules/orders/order-snapshot.ts";
import type { StepStore, StepSubject } from "../storage/step-store.ts";

/**
 * Runs a step whose rule decides in the time of the store's mode. A command comes with the
 * real time; the snapshot says how far the mode is ahead, under the lock of its clock.
 */
export const runStep = <Command extends { readonly now: number }, Result>(
  steps: StepStore,
  subject: StepSubject,
  command: Command,
  decide: (found: OrderSnapshot, command: Command) => Decision<Result>,
): Promise<Result> =>
  steps.step(subject, (found) => decide(found, { ...command, now: command.now + found.offset }));
