import type { Page } from "../contract/routes.ts";
import type { Order, Subscription } from "../contract/schemas.ts";
import type { StepOptions } from "./context.ts";
import type {
  AgreementInput,
  CancelInput,
  ChangePriceInput,
  PartitionInput,
  PayLinkInput,
  RenewalFailedInput,
  RenewInput,
  SubscriptionListInput,
  UpdateSubscriptionInput,
} from "./inputs.ts";

/** An address at which the buyer pays the next period of a subscription. */
export interface PayLink {
  /** Whoever has it can pay. It names the subscription's product, store and price. */
  readonly url: string;
  /** In ISO 8601, in UTC. */
  readonly expires_at: string;
}

/** How an agreement stands, and the subscription that it is for. */
export interface AgreementOutcome {
  /** `pending` waits for the buyer. `over` means that it pays no more, or never will. */
  readonly status: "pending" | "active" | "over";
  readonly subscription: Subscription;
}

/** A subscription after the payment of a period was reported. */
export interface RenewalOutcome {
  readonly subscription: Subscription;
  /**
   * The order of the period. For money that came after the end of the
   * subscription, it is the subscription's latest order.
   */
  readonly order: Order;
}

/**
 * Manages subscriptions. Where `collection_method` is `host`, the host charges the buyer at
 * `current_period_end` and reports the result here. Each call names a store and a mode. A
 * call throws `resource_not_found` for a subscription of another store or mode.
 */
export interface SubscriptionService {
  /**
   * Reads a subscription. Throws `resource_not_found` for a subscription of another
   * store or mode.
   */
  retrieve(subscription_id: string, partition: PartitionInput): Promise<Subscription>;

  /** Lists subscriptions, the newest first. */
  list(input: SubscriptionListInput): Promise<Page<Subscription>>;

  /**
   * Reports that the period that begins at `period_start` is paid. It writes the
   * period's order with `order.paid` and `subscription.renewed`, once for a period.
   * Throws `payment_mismatch`, and `parameter_invalid` when `period_start` is neither
   * `current_period_end` nor the start of a paid period.
   *
   * Money that no period needs is never refused. A second reference for a paid period
   * is a duplicate, with any amount, and also when a link has paid the period. The alert
   * is `duplicate_payment`. Money for a period after the end is added to the latest
   * order, with the alert `payment_after_end`. `orders.listPayments` lists both, and
   * `orders.returnPayment` sends them back.
   */
  renew(subscription_id: string, input: RenewInput, options?: StepOptions): Promise<RenewalOutcome>;

  /**
   * Reports that the payment of the period failed: it writes `order.failed`, and
   * the subscription becomes `past_due`. A later `renew` of the same period makes
   * it active again. Throws `invalid_transition` once the subscription is canceled
   * or ends with its current period.
   */
  fail(
    subscription_id: string,
    input: RenewalFailedInput,
    options?: StepOptions,
  ): Promise<RenewalOutcome>;

  /**
   * Cancels the subscription now, or at the end of the paid period:
   * `runMaintenance()` writes `subscription.canceled` then. A repeat changes
   * nothing.
   */
  cancel(subscription_id: string, input: CancelInput, options?: StepOptions): Promise<Subscription>;

  /**
   * Takes back a cancellation that waits for the end of the period. Throws
   * `invalid_transition` once the subscription has ended. A repeat changes nothing.
   */
  keep(
    subscription_id: string,
    where: PartitionInput,
    options?: StepOptions,
  ): Promise<Subscription>;

  /**
   * Charges nothing from now on until `resume`. The paid period stays paid. Throws
   * `invalid_transition` once the subscription has ended. A repeat changes nothing.
   */
  pause(
    subscription_id: string,
    where: PartitionInput,
    options?: StepOptions,
  ): Promise<Subscription>;

  /**
   * Charges again. Periods that passed meanwhile are not charged: when the paid period is
   * over, the next one begins now. A period that is past due also begins now, and
   * `current_period_end` does not change until that period is paid. A link's payment that has
   * begun pays the next period. Throws `invalid_transition` once the subscription has ended.
   */
  resume(
    subscription_id: string,
    where: PartitionInput,
    options?: StepOptions,
  ): Promise<Subscription>;

  /**
   * Sets what each later period costs. The buyer is not asked: tell the buyer in time. Writes
   * `subscription.updated`. Throws `invalid_transition` once the subscription has ended, and
   * while its next period is being paid, and `amount_out_of_range` above 2^53-1.
   */
  changePrice(
    subscription_id: string,
    input: ChangePriceInput,
    options?: StepOptions,
  ): Promise<Subscription>;

  /**
   * Changes the quantity or the product from the next period on. Nothing is charged or given
   * back for the period that runs. Throws like `changePrice`, and `parameter_invalid` for a
   * product of another interval or currency, or without a price.
   */
  update(
    subscription_id: string,
    input: UpdateSubscriptionInput,
    options?: StepOptions,
  ): Promise<Subscription>;

  /**
   * Makes a checkout page at which the buyer pays the next period within 14 days, with any
   * method. The method that the buyer lets be kept there takes the place of the former one.
   * A link that was made for the period in the last 24 hours is given again. Where the price, the
   * quantity or the product has changed since, there is a new one and the former pays nothing.
   * Throws `invalid_transition` once the subscription has ended or ends with its period.
   */
  payLink(subscription_id: string, input: PayLinkInput): Promise<PayLink>;

  /**
   * Asks the gateway about an agreement that the buyer made with the provider. An active one is
   * charged for all later periods from now on, whichever method was before. The provider's message
   * has the same effect. Throws `resource_not_found` for an agreement of another subscription, and
   * `invalid_transition` while the next period is being paid, or once the subscription has ended.
   * A repeat changes nothing.
   */
  followAgreement(subscription_id: string, input: AgreementInput): Promise<AgreementOutcome>;
}
