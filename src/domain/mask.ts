export interface MaskedTaxId {
  readonly tax_id: string;
  readonly tax_id_type: "cpf" | "cnpj";
}

/**
 * A CPF or CNPJ as it may be stored: `***.***.<its third group of three>-**` (CONTRACT 4). Recognised by length and alphabet once punctuation is
 * gone; check digits are not verified. Anything else is null: a payment is never refused over it.
 */
export function maskTaxId(value: unknown): MaskedTaxId | null {
  if (typeof value !== "string" || value.length > 100) return null;
  const text = value.normalize("NFKC").toUpperCase();
  const masked = /^\*{3}\.\*{3}\.([0-9]{3})-\*{2}$/.exec(text.trim());
  if (masked) return { tax_id: masked[0], tax_id_type: "cpf" };
  const bare = text.replace(/[\s.\-/\\_,:–—]/g, "");
  if (/^[0-9]{11}$/.test(bare)) return { tax_id: mask(bare.slice(6, 9)), tax_id_type: "cpf" };
  if (!/^[0-9A-Z]{14}$/.test(bare)) return null;
  // CNPJ 12.345.678/0001-95: groups of 2, 3 and 3.
  const third = bare.slice(5, 8);
  return /^[0-9]{3}$/.test(third) ? { tax_id: mask(third), tax_id_type: "cnpj" } : null;
}

const mask = (digits: string): string => `***.***.${digits}-**`;
