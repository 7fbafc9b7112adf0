import type { PaymentRequest } from "#core/payments/gateway/gateway.ts";
import type { BankRefusal } from "./problems.ts";

/**
 * Gives the buyer's fields. Banks take a name only with a tax id, and a tax id only
 * with a name.
 */
export function debtor({ customer }: PaymentRequest, longestName: number): object | null {
  const nome = cut(customer.name?.trim() ?? "", longestName);
  const id = (customer.tax_id ?? "").replace(/[^0-9A-Za-z]/g, "").toUpperCase();
  if (nome === "") return null;

  if (/^\d{11}$/.test(id)) return { devedor: { cpf: id, nome } };
  return /^[0-9A-Z]{12}\d{2}$/.test(id) ? { devedor: { cnpj: id, nome } } : null;
}

/** Tells whether the bank refuses the buyer's name or tax id: a charge needs neither. */
export const isAboutDebtor = ({ fields, message }: BankRefusal): boolean =>
  /devedor|\bcpf\b|\bcnpj\b/i.test([...fields, message].join(" "));

/** Cuts between characters, never inside one. */
export const cut = (text: string, length: number): string => [...text].slice(0, length).join("");
