import { fail, isApiError } from "../contract/errors.ts";
import { routes } from "../contract/routes.ts";
import { renderSessionDetails, renderSessionStatus } from "../rules/catalog/render.ts";
import type { SessionRecord } from "../rules/records.ts";
import { modeTime, partitionOf } from "./caller.ts";
import type { OperationContext } from "./context.ts";
import type { Handler } from "./operation.ts";
import { single } from "./results.ts";

const { fullScope } = routes.getCheckoutSession;

/**
 * The session as its buyer may see it. Its id cannot be guessed, so whoever knows it
 * may read it. A key with the scope of orders is shown all of it.
 */
export const getCheckoutSession: Handler<"getCheckoutSession"> = async (call) => {
  const { ctx, caller, input } = call;
  const found = await ctx.storage.checkout.findSession(partitionOf(caller), input.params.id);
  if (!found) return fail("resource_not_found");

  const { session, order } = found;
  const now = modeTime(caller, ctx.now());
  if (!caller.access.key.scopes.includes(fullScope))
    return single(renderSessionStatus(session, order, now));

  const checkout_url = await addressOf(ctx, session);
  return single(renderSessionDetails(session, { order, checkout_url, now }));
};

/** Gives null when the seal key that made the address is no longer in the ring. */
export async function addressOf(
  ctx: Pick<OperationContext, "checkoutUrls">,
  session: SessionRecord,
): Promise<string | null> {
  try {
    return await ctx.checkoutUrls.address(session);
  } catch (error) {
    if (isApiError(error) && error.code === "invalid_option") return null;
    throw error;
  }
}
