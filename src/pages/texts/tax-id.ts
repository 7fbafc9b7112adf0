/** The signs that people write between the digits of a number. */
export const taxIdSigns = /[\s.\-/\\_,:–—]/g;

const bare = (text: string): string => text.normalize("NFKC").toUpperCase().replace(taxIdSigns, "");

/** A number of another length or alphabet is of neither kind. */
type TaxIdKind = "cpf" | "cnpj";

/** Tells which kind of number a text has the form of. Gives null for any other text. */
function taxIdKind(text: string): TaxIdKind | null {
  const id = bare(text);
  if (/^[0-9]{11}$/.test(id)) return "cpf";
  return /^[0-9A-Z]{12}[0-9]{2}$/.test(id) ? "cnpj" : null;
}

/**
 * Says whether a text is a CPF or CNPJ whose check digits are right, with or
 * without punctuation. Since 2026 the first twelve characters of a CNPJ can be
 * letters: each counts as its code minus 48.
 */
export function isTaxId(text: string): boolean {
  const id = bare(text);
  const kind = taxIdKind(id);
  // One digit eleven or fourteen times has right check digits, but is nobody's number.
  if (kind === null || /^(.)\1*$/.test(id)) return false;
  return hasCheckDigits(id, kind === "cpf" ? 11 : 9);
}

/** `top` is the largest weight: after it the weights begin at 2 again. */
function hasCheckDigits(id: string, top: number): boolean {
  const values = Array.from(id, (letter) => letter.charCodeAt(0) - 48);
  const length = values.length - 2;
  return [length, length + 1].every((end) => values[end] === checkDigit(values.slice(0, end), top));
}

function checkDigit(values: readonly number[], top: number): number {
  const weights = top - 1;
  const sum = values
    .toReversed()
    .reduce((total, value, index) => total + value * (2 + (index % weights)), 0);
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}
