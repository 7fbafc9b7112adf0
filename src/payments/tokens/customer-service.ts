import { z } from "zod";
import { check } from "../../input/check.ts";
import { foreignId } from "../../input/fields.ts";
import { requireStore } from "../../owner/context.ts";
import { tokensOfCustomer } from "../../rules/audit/audit-changes.ts";
import type { Partition } from "../../rules/records.ts";
import type { PaymentContext } from "../context.ts";
import type { BuyerTokenService, IssuedToken, TokenRequest } from "./buyer-tokens.ts";

/** Issues and revokes the tokens that say who a buyer is. */
export interface CustomerService {
  /**
   * Issues a buyer token for `X-Service-Customer-Token`. Throws `invalid_option`
   * without `customerTokens`, and `parameter_invalid`. On `storefront.as(actor)` it throws
   * `resource_not_found` for an unknown store.
   */
  issueToken(request: TokenRequest): Promise<IssuedToken>;
  /**
   * Refuses every token of this buyer that was issued before now. Throws
   * `resource_not_found` for an unknown store.
   */
  revokeTokens(customer: Partition & { readonly customer_id: string }): Promise<void>;
}

type CustomerContext = Pick<PaymentContext, "storage" | "customerKeys" | "now"> & {
  readonly tokens: BuyerTokenService;
  /** True for the services of an actor, whose calls are entries of the audit log. */
  readonly isAudited: boolean;
};

const CustomerOfStore = z.object({
  customer_id: foreignId,
  store_id: foreignId,
  livemode: z.boolean(),
});

export const createCustomerService = ({
  storage,
  customerKeys,
  now,
  tokens,
  isAudited,
}: CustomerContext): CustomerService => ({
  async issueToken(request) {
    const customer = check(CustomerOfStore, request);
    // Without an actor, issuing asks no database. No store has an audit log before it exists.
    if (isAudited) await requireStore({ storage }, customer.store_id);
    const issued = await tokens.issue({ ...customer, ttl_seconds: request.ttl_seconds });
    await storage.audit.note(tokensOfCustomer(customer, customer.customer_id));
    return issued;
  },

  async revokeTokens(customer) {
    const { customer_id, ...partition } = check(CustomerOfStore, customer);
    await requireStore({ storage }, partition.store_id);
    const keys = await customerKeys(partition.store_id, customer_id);
    return storage.orders.revokeCustomerTokens({
      ...partition,
      customer_keys: keys,
      not_before: now(),
      customer_id,
    });
  },
});
