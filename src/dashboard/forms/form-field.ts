import type { Html } from "../../contract/html.ts";
import { quote } from "../../domain/text/csv.ts";
import { plainNumber, readLocalTime } from "../format.ts";
import type { TextName } from "../language.ts";
import type { StoreVisit } from "../screen.ts";
import { readAmount } from "./amount-input.ts";

/** What was typed, by the name of the field. */
export type Values = Readonly<Record<string, readonly string[]>>;

export interface Option {
  readonly value: string;
  readonly label: string;
  /** The heading of a part of the list. Options of one heading follow each other. */
  readonly group?: string;
}

export type Field = {
  readonly name: string;
  readonly label: TextName;
  readonly hint?: TextName;
} & FieldKind;

type FieldKind =
  | { readonly kind: "text"; readonly type?: "text" | "email" | "url" }
  | { readonly kind: "area"; readonly rows?: number }
  /** A list, with one entry on each line. */
  | { readonly kind: "lines"; readonly rows?: number }
  /** Money in major units; the call gets minor ones. */
  | { readonly kind: "amount"; readonly currency: string }
  | { readonly kind: "number" }
  | { readonly kind: "check" }
  | { readonly kind: "choice"; readonly options: readonly Option[] }
  | { readonly kind: "many"; readonly options: readonly Option[] }
  /** A date and time in the store's zone. */
  | { readonly kind: "moment" }
  /** A file. The form's `prepare` reads it, so that the call never sees it. */
  | { readonly kind: "file"; readonly accept: string }
  /** A field of several inputs. */
  | {
      readonly kind: "own";
      /** True when the field has a button of its own that sends the form. */
      readonly hasButton?: true;
      show(visit: StoreVisit, values: Values): Html;
      read(values: Values, locale: string): ReadField;
    };

/** A null value means that nothing was typed. */
export type ReadField = { readonly value: unknown } | { readonly fault: TextName };

/** A form with several buttons that was sent by Enter has a value of this name. */
export const enterField = "by_enter";

export const firstOf = (values: Values, name: string): string => values[name]?.[0] ?? "";

/** Gives the lines that are not blank, trimmed. */
export const linesOf = (text: string): readonly string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

const namedLine = /^(?:"((?:[^"]|"")+)"\s*|([^:]*))(?::(.*))?$/;

/**
 * Reads lines such as `Size: M`. What stands behind the first colon is the value. A name with a
 * colon stands in quotes.
 */
export const namedLines = (text: string): readonly (readonly [name: string, value: string])[] =>
  linesOf(text).map((line) => {
    const [, quoted, name = line, value = ""] = namedLine.exec(line) ?? [];
    return [(quoted === undefined ? name : unquote(quoted)).trim(), value.trim()];
  });

/** Puts a text in quotes when it has the sign, or begins with a quote. */
export const quoteWith = (text: string, sign: ":" | ";"): string =>
  text.includes(sign) || text.startsWith('"') ? quote(text) : text;

/** Reads the text between two quotes, where each quote of its own is doubled. */
export const unquote = (text: string): string => text.replaceAll('""', '"');

/** Turns what was typed into what the call takes. */
export function readField(
  field: Field,
  values: Values,
  { locale, timezone }: { readonly locale: string; readonly timezone: string },
): ReadField {
  const text = firstOf(values, field.name).trim();
  switch (field.kind) {
    case "file":
      return { value: null };
    case "own":
      return field.read(values, locale);
    case "check":
      return { value: text !== "" };
    case "many":
      return { value: (values[field.name] ?? []).filter((each) => each !== "") };
    case "lines":
      return { value: linesOf(text) };
    case "area":
      // Browsers send line feeds as CRLF.
      return { value: text === "" ? null : text.replaceAll("\r\n", "\n") };
    case "text":
    case "choice":
      return { value: text === "" ? null : text };
  }

  if (text === "") return { value: null };
  if (field.kind === "moment") {
    const time = readLocalTime(text, timezone);
    return time === null ? { fault: "fault_time" } : { value: time };
  }
  return readNumber(text, locale, field.kind === "amount" ? field.currency : null);
}

/** Reads a number. With a currency it is money, which is never below zero. */
export function readNumber(text: string, locale: string, currency: string | null): ReadField {
  if (currency === null) {
    const isBelowZero = /^[-\u2212]/.test(text);
    const plain = plainNumber(isBelowZero ? text.slice(1) : text, locale);
    if (plain === null) return { fault: "fault_number" };
    return { value: isBelowZero ? -Number(plain) : Number(plain) };
  }

  return readAmount(text, locale, currency);
}
