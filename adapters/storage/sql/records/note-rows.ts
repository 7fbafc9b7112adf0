import { foundRecord } from "#core/rules/owner/record-kinds.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one } from "../engine/queries.ts";
import { notesOf, readNote } from "../orders/notes.ts";
import type { RecordRows } from "./record-rows.ts";

/**
 * Keeps the notes of orders. The lock on the order makes notes that are added at once
 * wait for each other, and for an erasure of the customer.
 */
export const noteRows = ({ db, dialect }: SqlEngine): RecordRows<"order_note"> => ({
  *load({ store_id, livemode = false, order_id = "", id }) {
    const name = { store_id, livemode, order_id };
    const orders = db.selectFrom("orders").select("id").where("id", "=", order_id);
    const order = yield* one(
      dialect.forUpdate(orders.where((eb) => eb.and(partitionColumns(name)))),
    );

    const row = yield* one(notesOf(db, name).where("id", "=", id));
    const count = notesOf(db, name)
      .clearSelect()
      .select((eb) => eb.fn.countAll<number>().as("count"));
    const others = Number((yield* one(count))?.count ?? 0) - (row ? 1 : 0);
    const record = row ? readNote(name, row) : null;
    return foundRecord<"order_note">({ owner_exists: order !== undefined, record, others });
  },
  *put({ order_id, id, text, created_at, ...partition }) {
    const row = { ...partitionColumns(partition), order_id, id, body: text, created_at };
    yield* many(db.insertInto("order_notes").values(row));
    return true;
  },
});
