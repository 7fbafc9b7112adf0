import type { PaymentRequest } from "#core/payments/gateway/gateway.ts";
import type { BankRefusal } from "./problems.ts";

/**
 * Gives the buyer's fields. Banks take a name only with a tax id, and a tax id only
 * with a name.
 */
export function debtor({ customer }: PaymentRequest, longestName: number): object | null {
  const nome = cut(customer.name?.trim() ?? "", longestName);
  const person = personOf(customer.tax_id ?? "");
  return nome === "" || !person ? null : { devedor: { ...person, nome } };
}

type Person = { readonly cpf: string } | { readonly cnpj: string };

/** Names a person by a CPF or CNPJ, with or without punctuation. Null stands for any other text. */
export function personOf(taxId: string): Person | null {
  const id = taxId.replace(/[^0-9A-Za-z]/g, "").toUpperCase();
  if (/^\d{11}$/.test(id)) return { cpf: id };
  return /^[0-9A-Z]{12}\d{2}$/.test(id) ? { cnpj: id } : null;
}

/** Tells whether the bank refuses the buyer's name or tax id: a charge needs neither. */
export const isAboutDebtor = ({ fields, message }: BankRefusal): boolean =>
  /devedor|\bcpf\b|\bcnpj\b/i.test([...fields, message].join(" "));

/** Cuts between characters, never inside one. */
export const cut = (text: string, length: number): string => [...text].slice(0, length).join("");
