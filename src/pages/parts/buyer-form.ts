import type { PaymentMethod } from "../../contract/schemas.ts";
import { email as emailSchema } from "../../input/fields.ts";
import type { CheckoutView } from "../../payments/checkout/checkout-service.ts";
import { awaitsPayment } from "../../rules/orders/order-states.ts";
import { faultOf, type TaxIdUse, type TypedField } from "../fields/field-rules.ts";
import type { TextName } from "../texts/text-names.ts";
import { asksMethod } from "./renewal.ts";

/** The buyer fills in the fields of these names, in the order of the form. */
export const buyerFields = ["email", "name", "tax_id", "payment_method_id"] as const;
export type BuyerField = (typeof buyerFields)[number];

/** What the buyer has typed and chosen, which is shown again when something is wrong. */
export interface BuyerForm extends Readonly<Record<BuyerField, string>> {
  /** What a payment of the sandbox does. */
  readonly outcome: string;
  /** True for a form that was opened to change a payment that runs. */
  readonly isChange: boolean;
}

export type BuyerFaults = Readonly<Partial<Record<BuyerField, TextName>>>;

/** Gives what the page knows of the buyer before anything is typed. */
export const knownBuyer = ({ session, order, payment_methods }: CheckoutView): BuyerForm => ({
  name: order?.customer.name ?? "",
  email: order?.customer.email ?? session.customer.email ?? "",
  tax_id: "",
  payment_method_id: payment_methods[0]?.id ?? "",
  outcome: "succeed",
  isChange: order !== null && awaitsPayment(order.status),
});

export const readBuyerForm = (fields: URLSearchParams): BuyerForm => ({
  name: fields.get("name")?.trim() ?? "",
  email: fields.get("email")?.trim() ?? "",
  tax_id: fields.get("tax_id")?.trim() ?? "",
  payment_method_id: fields.get("payment_method_id") ?? "",
  outcome: fields.get("outcome") ?? "succeed",
  isChange: fields.has("change"),
});

/**
 * Stores of Brazil ask for a CPF or CNPJ; a store without a country is judged by its currency.
 * Other stores ask for it when a method is kept only for a buyer who gives it.
 */
export const asksTaxId = ({ store, session, recurring }: CheckoutView): boolean =>
  store.country === "BR" ||
  (store.country === null && session.currency === "BRL") ||
  (recurring !== null && recurring.needs_tax_id.length > 0);

/** Tells what a method needs the tax id for. Null means that it needs none. */
export function taxIdUse(
  { recurring }: CheckoutView,
  { id, type }: PaymentMethod,
): TaxIdUse | null {
  if (type === "boleto") return "boleto";
  return recurring?.needs_tax_id.includes(id) ? "saved" : null;
}

/** The fields that the form of this session has. */
export const typedFields = (view: CheckoutView): readonly TypedField[] =>
  asksTaxId(view) ? ["email", "name", "tax_id"] : ["email", "name"];

/** Finds what is wrong in the form, field by field. */
export function faultsOf(view: CheckoutView, form: BuyerForm): BuyerFaults {
  const { email, payment_method_id } = form;
  const method = view.payment_methods.find(({ id }) => id === payment_method_id);
  const isDue = asksMethod(view);
  const faults: Partial<Record<BuyerField, TextName>> = {};

  for (const field of typedFields(view)) {
    const fault = faultOf(field, form[field], method ? taxIdUse(view, method) : null);
    if (fault !== null) faults[field] = fault;
  }
  // The schema of the API knows characters that no rule names.
  if (!faults.email && !emailSchema.safeParse(email).success) faults.email = "email_invalid";

  if (isDue && payment_method_id === "") faults.payment_method_id = "method_missing";
  else if (isDue && !method) faults.payment_method_id = "method_gone";
  return faults;
}

/** Names the field that a parameter of `checkout.submit` came from. */
export function fieldOf(param: string | null): BuyerField | null {
  const name = param?.replace(/^customer\./, "");
  return buyerFields.find((field) => field === name) ?? null;
}
