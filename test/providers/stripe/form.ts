/** A field of a form: text, or fields below it. Lists are objects until `listed` turns them. */
export type FormValue = string | FormValue[] | { [key: string]: FormValue };
export type Form = { [key: string]: FormValue };

/** Reads `a[b][0]=c`, as stripe-node writes its parameters. */
export function decodeForm(text: string): Form {
  const root: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter(Boolean);
    const last = path.pop() ?? name;
    let place = root;
    for (const key of path) {
      const inner = place[key] ?? {};
      place[key] = inner;
      place = inner as Form;
    }
    place[last] = value;
  }
  return Object.fromEntries(Object.entries(root).map(([key, value]) => [key, listed(value)]));
}

/** Turns `{ 0: …, 1: … }` into a list. */
function listed(value: FormValue): FormValue {
  if (typeof value === "string" || Array.isArray(value)) return value;

  const entries = Object.entries(value).map(([key, inner]) => [key, listed(inner)] as const);
  const isList = entries.length > 0 && entries.every(([key], at) => key === String(at));
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

export const textOf = (value: FormValue | undefined): string | null =>
  typeof value === "string" ? value : null;

export const numberOf = (value: FormValue | undefined): number | null =>
  typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : null;

export const fieldsOf = (value: FormValue | undefined): Form =>
  typeof value === "object" && !Array.isArray(value) ? value : {};

export const listOf = (value: FormValue | undefined): readonly FormValue[] =>
  Array.isArray(value) ? value : [];

/** A form of text alone, such as metadata. */
export const textsOf = (value: FormValue | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fieldsOf(value)).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
