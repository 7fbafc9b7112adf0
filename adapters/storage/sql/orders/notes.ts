import type { NoteRecord, Partition } from "#core/rules/records.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";

interface NotePage extends Partition {
  readonly order_id: string;
  readonly after: string | null;
  readonly limit: number;
}

export function* listNotes(
  { db }: SqlEngine,
  { after, limit, ...name }: NotePage,
): QueryGenerator<readonly NoteRecord[]> {
  const notes = notesOf(db, name).orderBy("id", "desc").limit(limit);
  const rows = yield* many(after === null ? notes : notes.where("id", "<", after));
  return rows.map((row) => readNote(name, row));
}

type NoteName = Pick<NoteRecord, "store_id" | "livemode" | "order_id">;

export const notesOf = (db: Db, { order_id, ...partition }: NoteName) =>
  db
    .selectFrom("order_notes")
    .select(["id", "body", "created_at"])
    .where((eb) => eb.and({ ...partitionColumns(partition), order_id }));

interface NoteRow {
  readonly id: string;
  readonly body: string;
  readonly created_at: number;
}

export const readNote = (name: NoteName, { id, body, created_at }: NoteRow): NoteRecord => ({
  ...name,
  id,
  text: body,
  created_at,
});
