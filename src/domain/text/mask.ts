export interface MaskedTaxId {
  readonly tax_id: string;
  readonly tax_id_type: "cpf" | "cnpj";
}

/**
 * Masks a Brazilian tax id for storage: of a CPF or CNPJ only its third group, of
 * three digits, stays as `***.***.789-**`. Length and alphabet tell what it is,
 * once the punctuation is removed; check digits are not verified. Any other value
 * gives null: no payment is refused over a tax id.
 */
export function maskTaxId(value: unknown): MaskedTaxId | null {
  if (typeof value !== "string" || value.length > 100) return null;

  const text = value.normalize("NFKC").toUpperCase();
  const masked = /^\*{3}\.\*{3}\.([0-9]{3})-\*{2}$/.exec(text.trim());
  if (masked) return { tax_id: masked[0], tax_id_type: "cpf" };

  const bare = text.replace(/[\s.\-/\\_,:–—]/g, "");
  if (/^[0-9]{11}$/.test(bare)) return { tax_id: mask(bare.slice(6, 9)), tax_id_type: "cpf" };
  if (!/^[0-9A-Z]{14}$/.test(bare)) return null;

  // A CNPJ begins with groups of 2, 3 and 3 digits: 12.345.678/0001-95.
  const third = bare.slice(5, 8);
  return /^[0-9]{3}$/.test(third) ? { tax_id: mask(third), tax_id_type: "cnpj" } : null;
}

const mask = (digits: string): string => `***.***.${digits}-**`;
