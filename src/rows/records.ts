import type { FoundRecord, PutKind } from "../rules/owner/record-kinds.ts";
import { foundRecord, uniqueOf } from "../rules/owner/record-kinds.ts";
import type { RecordSubject } from "../storage/record-store.ts";

type Named<Kind extends PutKind> = NonNullable<FoundRecord<Kind>["record"]> & {
  readonly id: string;
};

/** Finds the record that a step names among those of its kind and store. */
export function findAmong<Kind extends PutKind>(
  stored: Iterable<Named<Kind>>,
  { on, id, unique }: RecordSubject<Kind>,
  exists: Pick<FoundRecord<Kind>, "owner_exists" | "parent_exists">,
): FoundRecord<Kind> {
  const all = [...stored];
  const others = all.filter((other) => other.id !== id);
  return foundRecord<Kind>({
    ...exists,
    record: all.find((other) => other.id === id) ?? null,
    is_taken: unique !== undefined && others.some((other) => uniqueOf(on, other) === unique),
    others: others.length,
  });
}
