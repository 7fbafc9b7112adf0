import { emailPattern } from "../../domain/text/plain.ts";
import { isTaxId, taxIdSigns } from "../texts/tax-id.ts";
import type { TextName } from "../texts/text-names.ts";

/** What a rule refuses. The server judges it here, and the browser by `judge-script.ts`. */
export type Refusal =
  | { readonly kind: "empty" }
  | { readonly kind: "longer"; readonly than: number }
  /** Another form than that of the pattern, after the signs of `signs` are left out. */
  | { readonly kind: "unlike"; readonly pattern: string; readonly signs?: string }
  /** Wrong check digits of a number of this length, whose largest weight is `top`. */
  | {
      readonly kind: "digits";
      readonly length: number;
      readonly top: number;
      readonly signs: string;
    };

/** What a payment method needs the tax id for: a boleto, or to be kept for a plan. */
export type TaxIdUse = "boleto" | "saved";

/** A field that the buyer types. */
export type TypedField = "email" | "name" | "tax_id";

interface FieldRule {
  readonly field: TypedField;
  readonly refuses: Refusal;
  readonly fault: TextName;
  /** The rule counts for methods that need the tax id for this. */
  readonly only_for?: TaxIdUse;
}

const signs = taxIdSigns.source;
const taxIdForm = "^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$";

/** All that can be wrong with what a buyer types. The first rule that refuses a field counts. */
export const fieldRules: readonly FieldRule[] = [
  { field: "email", refuses: { kind: "empty" }, fault: "email_missing" },
  { field: "email", refuses: { kind: "longer", than: 254 }, fault: "email_invalid" },
  {
    field: "email",
    refuses: { kind: "unlike", pattern: emailPattern.source },
    fault: "email_invalid",
  },
  { field: "name", refuses: { kind: "empty" }, fault: "name_missing" },
  { field: "name", refuses: { kind: "longer", than: 200 }, fault: "value_invalid" },
  { field: "tax_id", refuses: { kind: "empty" }, fault: "tax_id_missing", only_for: "boleto" },
  { field: "tax_id", refuses: { kind: "empty" }, fault: "tax_id_missing_saved", only_for: "saved" },
  {
    field: "tax_id",
    refuses: { kind: "unlike", pattern: taxIdForm, signs },
    fault: "tax_id_invalid",
  },
  { field: "tax_id", refuses: { kind: "digits", length: 11, top: 11, signs }, fault: "cpf_wrong" },
  { field: "tax_id", refuses: { kind: "digits", length: 14, top: 9, signs }, fault: "cnpj_wrong" },
];

/** Tells whether a text is refused. Of an empty one only its emptiness is. */
export function isRefused(text: string, refusal: Refusal): boolean {
  if (refusal.kind === "empty") return text === "";
  if (text === "") return false;
  if (refusal.kind === "longer") return text.length > refusal.than;

  const bare = refusal.signs === undefined ? text : withoutSigns(text, refusal.signs);
  if (refusal.kind === "unlike") return !new RegExp(refusal.pattern, "u").test(bare);
  return bare.length === refusal.length && !isTaxId(bare);
}

const withoutSigns = (text: string, signs: string): string =>
  text.normalize("NFKC").toUpperCase().replace(new RegExp(signs, "g"), "");

/** Finds what is wrong with a field, by what the chosen method needs the tax id for. */
export const faultOf = (field: TypedField, text: string, use: TaxIdUse | null): TextName | null =>
  fieldRules.find(
    (rule) =>
      rule.field === field &&
      (rule.only_for === undefined || rule.only_for === use) &&
      isRefused(text, rule.refuses),
  )?.fault ?? null;
