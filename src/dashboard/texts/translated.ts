import type { PluralForms } from "../../domain/plural.ts";

/** The texts of another language: each has plural forms where the English one has them. */
export type Translated<Texts> = {
  readonly [Name in keyof Texts]: Texts[Name] extends string ? string : PluralForms;
};
