import { fnv1a } from "../../domain/keys/fnv1a.ts";
import type { Values } from "./form-field.ts";

/**
 * The field of a form that tells what the stored record held when the form was opened: a mark for
 * each field of the record, such as `{"name":"1k2j3h"}`.
 */
export const marksField = "opened";

type Marks = Readonly<Record<string, string>>;

/** `variables.0.key` belongs to the field `variables`. */
const fieldOf = (name: string): string => name.split(".", 1)[0] ?? name;

/** A browser leaves out boxes that are not ticked, and sends line feeds as CRLF. */
const written = (each: string): string => each.replaceAll("\r\n", "\n").trim();

/** Marks the values of each field, so that a change of one can be seen. */
function marksOf(values: Values): Marks {
  const texts = new Map<string, string[]>();
  for (const [name, given] of Object.entries(values)) {
    const filled = given.map(written).filter((each) => each !== "");
    const field = fieldOf(name);
    const known = texts.get(field) ?? [];
    if (filled.length > 0) known.push(JSON.stringify([name, ...filled.sort()]));
    texts.set(field, known);
  }
  return Object.fromEntries([...texts].map(([field, parts]) => [field, markOf(parts.sort())]));
}

/** Makes a short mark of some texts. It keeps nothing secret. */
const markOf = (parts: readonly string[]): string =>
  parts.length === 0 ? "" : fnv1a(parts.join("\n")).toString(36);

/** Makes one mark of all values of a record's form, so that any change of it can be seen. */
export const markOfAll = (values: Values): string => markOf([JSON.stringify(marksOf(values))]);

/** Adds the marks of a stored record to the values that its form shows. */
export const withMarks = (values: Values, stored: Values = values): Values => ({
  ...values,
  [marksField]: [JSON.stringify(marksOf(stored))],
});

export interface Merged {
  /** What was typed, and what others have stored in the fields that were not touched. */
  readonly values: Values;
  /** The fields that were typed into, and that someone else has changed as well. */
  readonly contested: ReadonlySet<string>;
}

/**
 * Compares a sent form with what is stored now. Gives null when nobody else has
 * changed the record since the form was opened.
 */
export function mergeEdits(typed: Values, stored: Values): Merged | null {
  const opened = readMarks(typed);
  if (opened === null) return null;

  const now = marksOf(stored);
  const own = marksOf(typed);
  const changed = Object.keys(now).filter((field) => now[field] !== (opened[field] ?? ""));
  if (changed.length === 0) return null;

  const isTouched = (field: string): boolean => (own[field] ?? "") !== (opened[field] ?? "");
  const isSame = (field: string): boolean => (own[field] ?? "") === now[field];
  const contested = changed.filter((field) => isTouched(field) && !isSame(field));
  const taken = new Set(changed.filter((field) => !isTouched(field)));
  const kept = Object.entries(typed).filter(([name]) => !taken.has(fieldOf(name)));
  const theirs = Object.entries(stored).filter(([name]) => taken.has(fieldOf(name)));
  const values = Object.fromEntries([...kept, ...theirs]);
  return { values: withMarks(values, stored), contested: new Set(contested) };
}

/** Gives null for a form without marks. Marks that cannot be read differ from every record. */
function readMarks(values: Values): Marks | null {
  const text = values[marksField]?.[0];
  if (text === undefined) return null;
  try {
    const marks: unknown = JSON.parse(text);
    if (typeof marks !== "object" || marks === null) return {};
    return Object.fromEntries(Object.entries(marks).map(([name, mark]) => [name, String(mark)]));
  } catch {
    return {};
  }
}
