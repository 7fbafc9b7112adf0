import { fail } from "../contract/errors.ts";
import type { Input } from "../contract/routes.ts";
import { versionOf } from "../rules/checkout/session-version.ts";
import type { SessionRecord } from "../rules/records.ts";
import { partitionOf } from "./caller.ts";
import { priceGoods } from "./goods.ts";
import type { ChangeHandler } from "./operation.ts";
import type { PricedGoods, WantedGoods } from "./wanted-goods.ts";

/**
 * The most tries of one change. A try fails only when another change was written first, so fifty
 * changes at once need fifty tries at most.
 */
export const maxChangeTries = 100;

type Change = Input<"updateCheckoutSession">["body"];

/**
 * Drafts the session as it is to be. New items or another coupon are priced by today's
 * products; a change of the customer alone keeps the amounts. The caller writes the draft
 * together with its idempotency key, unless the session has moved on.
 */
export const updateCheckoutSession: ChangeHandler = async (call) => {
  const { caller, session } = call;
  const { body } = call.input;
  const { expected_version } = body;
  if (expected_version !== undefined && expected_version !== versionOf(session))
    return fail("session_changed", { param: "expected_version" });

  const { buyer } = caller;
  const isOthers =
    buyer && session.customer_id !== null && buyer.customer_id !== session.customer_id;
  if (isOthers) return fail("resource_not_found");

  const changesGoods = body.items !== undefined || body.coupon_code !== undefined;
  const goods = changesGoods
    ? await priceGoods({ ...call, partition: partitionOf(caller) }, wantedGoods(session, body))
    : null;
  const { customer } = body;
  return {
    ...session,
    ...(goods && goodsOf(session, goods)),
    email: customer?.email === undefined ? session.email : customer.email,
    discord_id: customer?.discord_id === undefined ? session.discord_id : customer.discord_id,
    customer_id: session.customer_id ?? buyer?.customer_id ?? null,
    version: versionOf(session) + 1,
  };
};

/** Gives the goods of the session after a change of its items or of its coupon. */
export const wantedGoods = (
  { lines, coupon_code }: SessionRecord,
  change: Pick<Change, "items" | "coupon_code">,
): WantedGoods => ({
  items: change.items ?? lines,
  coupon_code: change.coupon_code === undefined ? coupon_code : change.coupon_code,
  trial: keepsTrial({ lines }),
});

/** Tells whether a change may sell a trial: a session that left its trial out stays so. */
export const keepsTrial = ({ lines }: Pick<SessionRecord, "lines">): boolean =>
  lines.every(({ recurring }) => !recurring || recurring.trial_days !== undefined);

/** Gives what a session keeps of its goods. A line that it had before keeps its id. */
export function goodsOf(session: SessionRecord, { coupon, priced, lines }: PricedGoods) {
  return {
    currency: priced.currency,
    amount_subtotal: priced.amount_subtotal,
    amount_discount: priced.amount_discount,
    amount_total: priced.amount_total,
    lines: lines.map((line) => ({ ...line, id: knownLine(session, line)?.id ?? line.id })),
    coupon_id: coupon?.id ?? null,
    coupon_code: coupon?.code ?? null,
  };
}

/** Finds the line of the same product and wishes, which keeps its id. */
const knownLine = (
  { lines }: SessionRecord,
  { product_id, variables }: SessionRecord["lines"][number],
): SessionRecord["lines"][number] | undefined => {
  const wishes = JSON.stringify(variables);
  return lines.find(
    (line) => line.product_id === product_id && JSON.stringify(line.variables) === wishes,
  );
};
