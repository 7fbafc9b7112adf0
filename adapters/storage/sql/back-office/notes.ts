import { noteWritten } from "#core/rules/audit/audit-changes.ts";
import type { NoteRecord } from "#core/storage/back-office-store.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { noteChange } from "../engine/note-change.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";

/**
 * The lock on the order makes notes that are added at once wait for each other, and for
 * an erasure of the customer.
 */
export function* addNote(
  engine: SqlEngine,
  note: NoteRecord,
  max: number,
): QueryGenerator<{ outcome: "added" | "unknown_order" | "limit" }> {
  const { db, dialect } = engine;
  const { store_id, livemode } = partitionColumns(note);
  const { order_id, id, text, created_at } = note;
  const order = db
    .selectFrom("orders")
    .select("id")
    .where("store_id", "=", store_id)
    .where("livemode", "=", livemode)
    .where("id", "=", order_id);
  if (!(yield* one(dialect.forUpdate(order)))) return { outcome: "unknown_order" };

  const notes = db
    .selectFrom("order_notes")
    .where("store_id", "=", store_id)
    .where("livemode", "=", livemode)
    .where("order_id", "=", order_id);
  const same = yield* one(notes.select("id").where("id", "=", id));
  if (same) return { outcome: "added" };

  const counted = yield* one(notes.select((eb) => eb.fn.countAll<number>().as("count")));
  if (Number(counted?.count ?? 0) >= max) return { outcome: "limit" };

  yield* many(
    db
      .insertInto("order_notes")
      .values({ store_id, livemode, order_id, id, body: text, created_at }),
  );
  yield* noteChange(engine, noteWritten(note));
  return { outcome: "added" };
}

interface NotesOf {
  readonly store_id: string;
  readonly livemode: boolean;
  readonly order_id: string;
  readonly after: string | null;
  readonly limit: number;
}

export function* listNotes(
  { db }: SqlEngine,
  { store_id, livemode, order_id, after, limit }: NotesOf,
): QueryGenerator<readonly NoteRecord[]> {
  let notes = db
    .selectFrom("order_notes")
    .select(["id", "body", "created_at"])
    .where("store_id", "=", store_id)
    .where("livemode", "=", livemode ? 1 : 0)
    .where("order_id", "=", order_id)
    .orderBy("id", "desc")
    .limit(limit);
  if (after !== null) notes = notes.where("id", "<", after);

  const rows = yield* many(notes);
  return rows.map(({ id, body, created_at }) => ({
    store_id,
    livemode,
    order_id,
    id,
    text: body,
    created_at,
  }));
}
