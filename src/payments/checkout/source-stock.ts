import { fail } from "../../contract/errors.ts";
import { iso } from "../../domain/text/iso.ts";
import type { SourceAnswer } from "../../rules/orders/order-commands.ts";
import { judgeSource } from "../../rules/orders/order-goods.ts";
import type { OrderRecord, SessionRecord } from "../../rules/records.ts";
import type { SourceReservation } from "../../storage/reads/catalog-source.ts";
import { askToReserve, type PaymentContext, reservedOrderId } from "../context.ts";

/** Gives the host's own catalog. A session that renews takes no goods, so it has no catalog. */
const sourceOf = ({ source }: PaymentContext, { renews }: SessionRecord) =>
  renews ? undefined : source;

/**
 * Gives what the host's own catalog says of a session's goods. It is empty without
 * such a catalog, and for a period of a subscription, which takes no goods. It is "available"
 * for a session that is over: the step refuses it.
 */
export async function askSource(
  ctx: PaymentContext,
  session: SessionRecord,
): Promise<SourceAnswer> {
  const { sourceProducts } = ctx;
  const source = sourceOf(ctx, session);
  if (!source || !sourceProducts) return {};

  const { now } = await ctx.clock.of(session);
  const isOpen = session.status === "open" && now < session.expires_at;
  if (!isOpen) return { from_source: "available" };

  const product_ids = [...new Set(session.lines.map(({ product_id }) => product_id))];
  const products = await sourceProducts(session, product_ids);
  return { from_source: judgeSource(session, products, source.reserve !== undefined) };
}

/**
 * Says whether the host's own catalog counts fewer pieces than the session has
 * sold. A catalog that does not answer is only reported: the money is there.
 */
export async function isShortAtSource(
  ctx: PaymentContext,
  session: SessionRecord,
): Promise<boolean> {
  // A catalog that reserves is asked before the pieces are confirmed.
  if (ctx.source?.reserve) return false;
  try {
    return (await askSource(ctx, session)).from_source === "insufficient_stock";
  } catch (error) {
    ctx.onError(error, "catalog");
    return false;
  }
}

/**
 * Reserves the session's pieces in the host's own catalog, until the given time of the
 * session's mode, which the host is told as a real one. Gives true where there is nothing to
 * reserve.
 */
export async function reserveAtSource(
  ctx: PaymentContext,
  goods: SourceGoods,
  until: number,
): Promise<boolean> {
  const { offset } = await ctx.clock.of(goods.session);
  try {
    const reservation = { ...reservationOf(goods), expires_at: iso(until - offset) };
    return await askToReserve(sourceOf(ctx, goods.session), reservation);
  } catch (cause) {
    return fail("service_unavailable", { retry_after: 1, cause });
  }
}

/** Gives the session's pieces back in the host's own catalog. */
export async function releaseAtSource(ctx: PaymentContext, goods: SourceGoods): Promise<void> {
  await sourceOf(ctx, goods.session)?.release?.(reservationOf(goods));
}

/** A session, and its order where it has one. */
export interface SourceGoods {
  readonly session: SessionRecord;
  readonly order: OrderRecord | null;
}

function reservationOf({ session, order }: SourceGoods): Omit<SourceReservation, "expires_at"> {
  const { store_id, livemode } = session;
  const lines = session.lines.map(({ product_id, quantity }) => ({ product_id, quantity }));
  return { store_id, livemode, order_id: order?.id ?? reservedOrderId(session), lines };
}
