import type { Decision } from "../rules/order-changes.ts";
import type { OrderSnapshot } from "../rules/order-snapshot.ts";
import type { Partition } from "../rules/records.ts";
import { carryOut } from "./order-changes.ts";
import { loadByOrder } from "./order-snapshot.ts";
import type { MemoryState } from "./state.ts";

interface OrderCommand extends Partition {
  readonly order_id: string;
}

/** Makes steps on an order that is there: each loads it, decides by the rule and writes. */
export const orderStep =
  (state: MemoryState) =>
  <Command extends OrderCommand, Result>(
    decide: (snapshot: OrderSnapshot, command: Command) => Decision<Result>,
  ) =>
  async (command: Command): Promise<Result> => {
    const snapshot = loadByOrder(state, command, command.order_id);
    return carryOut(state, command, snapshot, decide(snapshot, command));
  };
