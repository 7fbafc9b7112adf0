import { fail, isApiError } from "../../../contract/errors.ts";
import type { Customer } from "../../../contract/schemas.ts";
import type { OwnerCustomerDetails } from "../../../owner/sales/customers.ts";
import { erasedCustomerId } from "../../../rules/owner/erased-customer.ts";
import type { StoreVisit } from "../../screen.ts";

type Named = Pick<Customer, "id" | "email" | "name"> & Partial<Customer>;

/** Gives the customer's name, or the best of what else is known. */
export const buyerName = ({ language }: StoreVisit, customer: Named): string =>
  customer.id === erasedCustomerId
    ? language.say("customer_erased")
    : (customer.name ?? customer.email ?? customer.discord_id ?? customer.id);

const newestShown = 20;

/**
 * Reads a customer. A customer who has never paid has orders alone. Throws
 * `resource_not_found` for a customer without an order, and for an erased one.
 */
export async function findCustomer(
  { parts, store, livemode }: StoreVisit,
  customer_id: string,
): Promise<OwnerCustomerDetails> {
  if (customer_id === erasedCustomerId) return fail("resource_not_found", { param: "customer_id" });

  const reference = { store_id: store.id, livemode, customer_id };
  try {
    return await parts.owner.customers.retrieve(reference);
  } catch (error) {
    if (!isApiError(error) || error.code !== "resource_not_found") throw error;
    const newest = { ...reference, limit: newestShown };
    const { data: orders } = await parts.owner.orders.list(newest);
    const [latest] = orders;
    if (!latest) throw error;
    const { email, name } = latest.customer;
    return { id: customer_id, email, name, totals: [], orders, subscriptions: [] };
  }
}
