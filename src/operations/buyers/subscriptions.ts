import { fail } from "../../contract/errors.ts";
import { defaultPageSize } from "../../contract/query-parameters.ts";
import type { SubscriptionRecord } from "../../rules/payments/payment-records.ts";
import { renderSubscription } from "../../rules/subscriptions/render-subscription.ts";
import { partitionOf } from "../caller.ts";
import type { Handler, OperationCall, PlainOperation } from "../operation.ts";
import { pageOf, single } from "../results.ts";
import { cancelOwn, findOwnSubscription, keepOwn, type OwnCall, refuseRevoked } from "./own.ts";

type BuyerCall = Pick<OperationCall<PlainOperation>, "ctx" | "caller">;

/** Renders a subscription for its buyer. What the store notes about it is left out. */
const show = (subscription: SubscriptionRecord) => ({
  ...renderSubscription(subscription),
  metadata: {},
});

const ownCall = ({ ctx, caller }: BuyerCall): OwnCall => ({
  ctx,
  partition: partitionOf(caller),
  buyer: caller.buyer ?? fail("missing_customer_token"),
});

/** Lists the subscriptions of the buyer whom the token names, and of no one else. */
export const listMySubscriptions: Handler<"listMySubscriptions"> = async ({
  ctx,
  caller,
  input,
}) => {
  const { limit = defaultPageSize, starting_after } = input.query;
  const call = ownCall({ ctx, caller });
  if (starting_after !== undefined && !(await findOwnSubscription(call, starting_after)))
    fail("invalid_cursor");

  const rows = await ctx.storage.orders.listSubscriptions({
    ...call.partition,
    customer_id: call.buyer.customer_id,
    limit,
    ...(starting_after && { after: starting_after }),
  });
  await refuseRevoked(call);

  return pageOf({
    rows,
    limit,
    document: (subscription) => JSON.stringify(show(subscription)),
    cursor: (last) => last.id,
  });
};

export const cancelMySubscription: Handler<"cancelMySubscription"> = async (call) =>
  single(show(await cancelOwn(ownCall(call), call.input.params.id)));

export const keepMySubscription: Handler<"keepMySubscription"> = async (call) =>
  single(show(await keepOwn(ownCall(call), call.input.params.id)));
