import type { Partition } from "#core/rules/records.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { one, prepare, type QueryGenerator } from "../engine/queries.ts";

export interface Numbers {
  readonly order_number: number;
  readonly first_sequence: number;
}

/**
 * Takes the order's number and the block of sequences by one update. Its row lock
 * makes the order of commits equal the order of sequences. It is taken after every
 * other lock.
 */
export const takeNumbersStep = ({ db }: SqlEngine) => {
  const update = prepare((param) =>
    db
      .insertInto("counters")
      .values({
        store_id: param<string>("store_id"),
        livemode: param<0 | 1>("livemode"),
        order_number: param<number>("orders"),
        sequence: param<number>("events"),
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
  ): QueryGenerator<Numbers> {
    const row = yield* one(update({ ...partitionColumns(partition), ...wanted }));
    return {
      order_number: row?.order_number ?? 0,
      first_sequence: (row?.sequence ?? 0) - wanted.events + 1,
    };
  };
};
