import type { PluralForms } from "../domain/plural.ts";

/** Says beside the search box of the documents what was found. */
export const foundTexts = {
  none: "Nothing found",
  found: { one: "Found in {count} place", other: "Found in {count} places" },
} as const satisfies Readonly<Record<string, string | PluralForms>>;
