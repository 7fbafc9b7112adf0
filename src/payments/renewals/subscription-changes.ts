import { fail } from "../../contract/errors.ts";
import type { Subscription } from "../../contract/schemas.ts";
import { check, checkId } from "../../input/check.ts";
import { isOffered } from "../../rules/catalog/stock.ts";
import type { SubscriptionRecord } from "../../rules/payments/payment-records.ts";
import type { Partition, ProductRecord } from "../../rules/records.ts";
import { renderSubscription } from "../../rules/subscriptions/render-subscription.ts";
import type { SubscriptionChanges } from "../../rules/subscriptions/subscription-commands.ts";
import { changeSubscription } from "../../steps/subscription-steps.ts";
import { afterStep, eventIds, type PaymentContext, type StepOptions, stepsOf } from "../context.ts";
import { ChangePriceInput, PartitionInput, UpdateSubscriptionInput } from "../inputs.ts";
import type { SubscriptionService } from "../subscriptions.ts";

type Changes = Pick<SubscriptionService, "keep" | "pause" | "resume" | "changePrice" | "update">;

/** Makes the calls by which a store changes what its subscriptions charge. */
export function subscriptionChanges(ctx: PaymentContext): Changes {
  const simple =
    (kind: "keep" | "pause" | "resume"): Changes["keep"] =>
    (id, where, options = {}) =>
      write(ctx, { id, partition: check(PartitionInput, where), change: { kind } }, options);

  return {
    keep: simple("keep"),
    pause: simple("pause"),
    resume: simple("resume"),

    changePrice(id, input, options = {}) {
      const { unit_amount, ...partition } = check(ChangePriceInput, input);
      return write(ctx, { id, partition, change: { kind: "terms", unit_amount } }, options);
    },

    async update(id, input, options = {}) {
      const { quantity, product_id, ...partition } = check(UpdateSubscriptionInput, input);
      const product =
        product_id == null ? undefined : await newProduct(ctx, { id, partition, product_id });

      const change = { kind: "terms", quantity: quantity ?? undefined, product } as const;
      return write(ctx, { id, partition, change }, options);
    },
  };
}

interface Change {
  readonly id: string;
  readonly partition: Partition;
  readonly change: SubscriptionChanges;
}

async function write(
  ctx: PaymentContext,
  { id, partition, change }: Change,
  options: StepOptions,
): Promise<Subscription> {
  const result = await changeSubscription(stepsOf(ctx, options), {
    ...partition,
    subscription_id: checkId("subscription_id", id),
    change,
    ids: eventIds(ctx),
    now: ctx.now(),
  });

  switch (result.outcome) {
    case "unknown_subscription":
      return fail("resource_not_found");
    case "invalid_transition":
      return fail("invalid_transition", { message: "The subscription has ended." });
    case "period_open":
      return fail("invalid_transition", {
        message: "The next period is being paid: change its terms once it is paid.",
      });
    default:
      await afterStep(ctx, partition, null, options);
      return renderSubscription(result.subscription);
  }
}

interface NewProduct {
  readonly id: string;
  readonly partition: Partition;
  readonly product_id: string;
}

/** Reads the product that takes the place of the subscription's, with its price of now. */
async function newProduct(ctx: PaymentContext, { id, partition, product_id }: NewProduct) {
  const found = await ctx.storage.orders.find("subscription", partition, checkId("id", id));
  if (!found) return fail("resource_not_found");

  const { checkout } = ctx.storage;
  const [product] = ctx.sourceProducts
    ? await ctx.sourceProducts(partition, [product_id])
    : (await checkout.loadCart(partition, [product_id], null)).products;
  const refuse = (message: string): never =>
    fail("parameter_invalid", { param: "product_id", message });
  if (!product || !isOffered(product)) return refuse("product_id is not a product on sale.");
  if (!isOfSamePeriod(found, product))
    return refuse("product_id must have the subscription's currency and interval.");
  // A gateway takes no payment of 0, so each charge would fail and the subscription would end.
  if (product.price === 0) return refuse("product_id must have a price.");

  return {
    product_id,
    product_slug: product.slug,
    product_name: product.name,
    image_url: product.images[0] ?? null,
    unit_amount: product.price,
    options: product.options ?? [],
  };
}

const isOfSamePeriod = (
  { interval, interval_count, currency }: SubscriptionRecord,
  { recurring, currency: own }: Pick<ProductRecord, "recurring" | "currency">,
): boolean =>
  own === currency &&
  recurring?.interval === interval &&
  recurring.interval_count === interval_count;
