import type { Decision, NotedMessage } from "../rules/orders/order-changes.ts";
import type { OrderSnapshot } from "../rules/orders/order-snapshot.ts";
import type { Partition } from "../rules/records.ts";
import type { OrderSubject, StepStore, StepSubject } from "../storage/step-store.ts";

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
  steps.step(subject, (found) =>
    // Live mode, and a clock that was never turned, take the command as it is.
    decide(found, found.offset === 0 ? command : { ...command, now: command.now + found.offset }),
  );

/** Names an order in a command. */
export interface OrderCommand extends Partition {
  readonly order_id: string;
}

/** Names the order of a command, with its refunds and disputes. */
export const history = (
  step: string,
  { store_id, livemode, order_id }: OrderCommand,
  message: NotedMessage | null = null,
): OrderSubject => ({ on: "order", step, store_id, livemode, order_id, needs: "history", message });
