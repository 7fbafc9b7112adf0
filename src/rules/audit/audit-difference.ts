import { canonicalJson } from "../../domain/text/canonical-json.ts";
import { iso } from "../../domain/text/iso.ts";
import { type AuditedFields, timeFields } from "./audit-fields.ts";
import type { AuditValues } from "./audit-records.ts";

/** The fields in which two states of something differ. */
export interface Difference {
  readonly before: AuditValues;
  readonly after: AuditValues;
  readonly withheld: readonly string[];
}

/**
 * Compares two states of a record. Null means that the record does not exist in
 * that state. The name of each field in the difference begins with `prefix`. A
 * field that a state lacks counts as null.
 */
export function differenceOf(
  before: object | null,
  after: object | null,
  { shown, silent }: AuditedFields,
  prefix = "",
): Difference {
  const old = new Map(Object.entries(before ?? {}));
  const current = new Map(Object.entries(after ?? {}));
  const left: Record<string, unknown> = {};
  const right: Record<string, unknown> = {};
  const withheld: string[] = [];

  for (const field of new Set([...old.keys(), ...current.keys()])) {
    const [one, other] = [old.get(field) ?? null, current.get(field) ?? null];
    if (silent.has(field) || canonicalJson(one) === canonicalJson(other)) continue;

    const name = prefix + field;
    if (shown.has(field)) {
      if (before) left[name] = shownValue(field, one);
      if (after) right[name] = shownValue(field, other);
    } else withheld.push(name);
  }
  return { before: left, after: right, withheld };
}

/** Gives the value as the entry shows it. Times are ISO 8601 UTC, as in every public document. */
const shownValue = (field: string, value: unknown): unknown =>
  typeof value === "number" && timeFields.has(field) ? iso(value) : value;

export const joinDifferences = (parts: readonly Difference[]): Difference => ({
  before: Object.assign({}, ...parts.map(({ before }) => before)),
  after: Object.assign({}, ...parts.map(({ after }) => after)),
  withheld: parts.flatMap(({ withheld }) => withheld),
});

export const isEmpty = ({ before, after, withheld }: Difference): boolean =>
  Object.keys(before).length + Object.keys(after).length + withheld.length === 0;

/** The most bytes of values that an entry holds. The names of the fields are included. */
const maxBytes = 16_384;
const utf8 = new TextEncoder();

/**
 * Leaves out the values of the largest fields until the rest fits. `cut` names the
 * fields that lost their values.
 */
export function fitted(values: Pick<Difference, "before" | "after">): {
  readonly before: AuditValues;
  readonly after: AuditValues;
  readonly cut: readonly string[];
} {
  const names = [...new Set([...Object.keys(values.before), ...Object.keys(values.after)])];
  const sizeOf = (name: string): number =>
    utf8.encode(JSON.stringify([name, values.before[name], name, values.after[name]])).length;
  const bySize = names
    .map((name) => ({ name, size: sizeOf(name) }))
    .sort((one, other) => one.size - other.size);

  const cut = new Set<string>();
  let total = 0;
  for (const { name, size } of bySize) {
    total += size;
    if (total > maxBytes) cut.add(name);
  }

  const kept = (fields: AuditValues): AuditValues =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !cut.has(name)));
  return { before: kept(values.before), after: kept(values.after), cut: [...cut] };
}
