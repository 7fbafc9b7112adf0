import { z } from "zod";
import type { Page } from "../../contract/routes.ts";
import { iso } from "../../domain/text/iso.ts";
import { check } from "../../input/check.ts";
import { foreignId } from "../../input/fields.ts";
import { type AttemptWithMoney, attemptStates } from "../../rules/owner/list-records.ts";
import type { PaymentFee } from "../../rules/payments/fees/payment-fee.ts";
import type { AttemptFailure, AttemptRecord } from "../../rules/payments/payment-records.ts";
import { type OrderPayment, renderPayment } from "../../rules/payments/render-payment.ts";
import type { PaymentMethodRecord } from "../../rules/records.ts";
import type { OwnerContext } from "../context.ts";
import { ageOrder, createdFields, listFields, present, rangeOf, readListing } from "../listing.ts";

const PaymentListInput = z.strictObject({
  ...listFields,
  ...createdFields,
  status: z.enum(attemptStates).nullish(),
  order_id: foreignId.nullish(),
});
/** Selects the payments of a list. A filter that is left out, or null, lists all. */
export interface PaymentListInput extends z.input<typeof PaymentListInput> {}

/** A buyer's attempt to pay an order, and the money that came for it. */
export interface OwnerPayment {
  /** Begins with `pay_`. */
  readonly id: string;
  readonly order_id: string;
  /** Null for the period of a subscription. */
  readonly checkout_session_id: string | null;
  /**
   * `in_flight` means that its result is awaited. `unknown` means that the time for
   * a result is over, and the gateway is still asked. `duplicate` means that it
   * paid an order that was paid already. `returned` means that its money went back.
   */
  readonly status: AttemptRecord["state"];
  /**
   * The id of the gateway. It is `host` for a payment that your own code
   * took.
   */
  readonly gateway: string;
  /**
   * The store's account at the provider. It is null when the host has one for
   * all stores.
   */
  readonly account: string | null;
  readonly payment_method_id: string | null;
  readonly payment_method_type: PaymentMethodRecord["type"] | null;
  /** The amount that was asked for, in minor units of `currency`. */
  readonly amount: number;
  readonly currency: string;
  /** The provider's id of what was asked for. */
  readonly reference: string | null;
  readonly failure_code: AttemptFailure | null;
  /** The provider's own code of the refusal, e.g. `insufficient_funds`. */
  readonly decline_code: string | null;
  /** What the provider keeps of the money. Null when it did not tell. */
  readonly fee: PaymentFee | null;
  /**
   * Lists the money that came, the oldest first. Most attempts that failed have
   * none.
   */
  readonly money: readonly OrderPayment[];
  /** A time in ISO 8601, in UTC. */
  readonly created_at: string;
  /** A time in ISO 8601, in UTC. */
  readonly updated_at: string;
}

/** Reads the attempts to pay orders. */
export interface OwnerPayments {
  /**
   * Lists the payment attempts of a store and mode, the newest first. `sort: "oldest"` reverses the
   * list. Filters limit it to a status, an order or a span of time. Throws `parameter_invalid` for
   * a wrong filter, and `invalid_cursor` for a cursor from a list with other filters.
   */
  list(input: PaymentListInput): Promise<Page<OwnerPayment>>;
}

export const renderOwnerPayment = ({ attempt, money }: AttemptWithMoney): OwnerPayment => ({
  id: attempt.id,
  order_id: attempt.order_id,
  checkout_session_id: attempt.session_id,
  status: attempt.state,
  gateway: attempt.gateway,
  account: attempt.account,
  payment_method_id: attempt.method_id,
  payment_method_type: attempt.method_type,
  amount: attempt.amount,
  currency: attempt.currency,
  reference: attempt.reference,
  failure_code: attempt.failure_code,
  decline_code: attempt.decline_code ?? null,
  fee: attempt.fee ?? null,
  money: money.map(renderPayment),
  created_at: iso(attempt.created_at),
  updated_at: iso(attempt.updated_at),
});

export const createPayments = (ctx: OwnerContext): OwnerPayments => ({
  async list(input) {
    const query = check(PaymentListInput, input);
    const { store_id, livemode, status: state, order_id } = query;
    const range = { ...rangeOf(query), ...ageOrder(query) };
    const filters = { store_id, livemode, ...range, ...present({ state, order_id }) };

    return readListing(ctx, query, {
      name: "payments",
      read: (place, limit) =>
        ctx.storage.lists.listAttempts({
          ...filters,
          ...(place && { after: { created_at: place.position, id: place.id } }),
          limit,
        }),
      placeOf: ({ attempt }) => ({ position: attempt.created_at, id: attempt.id }),
      render: renderOwnerPayment,
    });
  },
});
