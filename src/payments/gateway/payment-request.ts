import { fail } from "../../contract/errors.ts";
import type { AttemptRecord } from "../../rules/payments/payment-records.ts";
import type { OrderRecord, SessionRecord } from "../../rules/records.ts";
import { termsOf } from "../../rules/subscriptions/subscription-record.ts";
import type { PaymentChoice } from "../checkout/payment-choice.ts";
import type { PaymentContext } from "../context.ts";
import type { PaymentGateway, PaymentRequest } from "./gateway.ts";

/** A payment that is to begin. */
export interface Charge {
  readonly session: SessionRecord;
  readonly order: OrderRecord;
  readonly attempt: AttemptRecord;
  readonly choice: PaymentChoice;
  /** The hosted page collected this for the gateway. */
  readonly input: Readonly<Record<string, unknown>>;
  /** True when the buyer's page can show the gateway's element. */
  readonly on_page: boolean;
  /** The tax id as the buyer gave it. */
  readonly tax_id: string | null;
}

/** Makes the request that the gateway receives. */
export async function paymentRequest(
  ctx: PaymentContext,
  { session, order, attempt, choice, input, on_page, tax_id }: Charge,
): Promise<Omit<PaymentRequest, "signal">> {
  const { id, email, name, country } = order.customer;
  const { method } = choice;
  const { offset } = await ctx.clock.of(attempt);
  const save = attempt.consent !== undefined && choice.gateway.chargeSaved !== undefined;

  return {
    ...chargedOf(order, attempt, offset),
    method: { id: method.id, type: method.type },
    customer: { id, email, name, country, tax_id },
    input,
    return_url: await ctx.checkoutUrls.address(session),
    save,
    ...(on_page && choice.gateway.element && { on_page }),
    ...(save && { recurring: termsOf(session, attempt.created_at, offset) }),
  };
}

type Charged = Pick<
  PaymentRequest,
  | "id"
  | "order_id"
  | "store_id"
  | "account"
  | "amount"
  | "currency"
  | "description"
  | "metadata"
  | "line_items"
  | "expires_at"
>;

/** Gives what each charge says of its order, in real time: the mode is `offset` ahead. */
export function chargedOf(order: OrderRecord, attempt: AttemptRecord, offset: number): Charged {
  const { id, store_id, livemode, order_id, session_id, account, amount, currency } = attempt;
  return {
    id,
    order_id,
    store_id,
    account,
    amount,
    currency,
    description: `Order ${order.number}`,
    metadata: { store_id, livemode, order_id, session_id, payment_id: id },
    line_items: order.items.map(({ name, quantity, amount_total, image_url }) => ({
      name,
      quantity,
      amount_total,
      image_url,
    })),
    expires_at: attempt.expires_at - offset,
  };
}

/** Asks the gateway which of the host's provider accounts is this store's. */
export async function findAccount(
  ctx: PaymentContext,
  gateway: PaymentGateway,
  store_id: string,
): Promise<string | null> {
  try {
    return (await gateway.account?.(store_id)) ?? null;
  } catch (error) {
    ctx.onError(error, `gateway:${gateway.id}:account`);
    return fail("gateway_error", {
      message: "The gateway could not tell the store's account at the provider.",
    });
  }
}
