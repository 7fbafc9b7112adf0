import type { Partition } from "../../../../src/rules/records.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { own } from "../engine/json.ts";
import { one, prepare, type Step } from "../engine/step.ts";

export interface Numbers {
  readonly order_number: number;
  readonly first_sequence: number;
}

/**
 * Takes the order's number and the block of sequences by one update. Its row lock makes the order
 * of commits equal the order of sequences. It is taken after every other lock.
 */
export const takeNumbersStep = ({ db }: SqlEngine) => {
  const update = prepare((place) =>
    db
      .insertInto("counters")
      .values({
        store_id: place<string>("store_id"),
        livemode: place<0 | 1>("livemode"),
        order_number: place<number>("orders"),
        sequence: place<number>("events"),
      })
      .onConflict((conflict) =>
        conflict.columns(["store_id", "livemode"]).doUpdateSet((eb) => ({
          order_number: eb("counters.order_number", "+", eb.ref("excluded.order_number")),
          sequence: eb("counters.sequence", "+", eb.ref("excluded.sequence")),
        })),
      )
      .returning(["order_number", "sequence"]),
  );

  return function* takeNumbers(
    partition: Partition,
    wanted: { readonly orders: 0 | 1; readonly events: number },
  ): Step<Numbers> {
    const row = yield* one(update({ ...own(partition), ...wanted }));
    return {
      order_number: row?.order_number ?? 0,
      first_sequence: (row?.sequence ?? 0) - wanted.events + 1,
    };
  };
};
