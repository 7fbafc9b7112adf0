import { refundMoved } from "../../../rules/owner/moved-money.ts";
import type { OrderRecord, Partition } from "../../../rules/records.ts";
import type { OwnerContext } from "../../context.ts";

/** What a line of the books tells of. */
export type MovementKind = "sale" | "fee" | "refund" | "chargeback" | "correction";

/** Money that came or went at one time. Amounts are in minor units of `currency`. */
export interface Movement {
  readonly kind: MovementKind;
  /** In epoch milliseconds. */
  readonly at: number;
  readonly currency: string;
  readonly gross: number;
  readonly refunded: number;
  readonly charged_back: number;
  /** What the provider keeps of a sale. A fee of another currency than the sale's stands alone. */
  readonly fee: number;
  /** Null for a correction, which belongs to no order. */
  readonly order: OrderRecord | null;
  /** The provider's id, else ours, of a refund or a dispute. */
  readonly reference: string | null;
}

export const noMoney = { gross: 0, refunded: 0, charged_back: 0, fee: 0 } as const;

/** A span of time, in epoch milliseconds. `to` is not included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

type Source = AsyncGenerator<Movement>;

const rowsPerPage = 100;

/** Reads the money that moved in a span of time, the oldest first, page by page. */
export const readMovements = (ctx: OwnerContext, of: Partition, span: Span): Source =>
  merge([sales(ctx, of, span), refunds(ctx, of, span), chargebacks(ctx, of, span)]);

async function* sales({ storage }: OwnerContext, of: Partition, span: Span): Source {
  let after: { readonly at: number; readonly number: number } | undefined;
  for (;;) {
    const paid = { ...span, ...(after && { after }) };
    const found = await storage.backOffice.searchOrders({ ...of, paid, limit: rowsPerPage });
    const orders = found.outcome === "listed" ? found.orders.slice(0, rowsPerPage) : [];
    for (const order of orders) {
      const at = order.paid_at ?? span.from;
      const { currency, amount_total: gross } = order;
      const fee = ownFee(order) ?? 0;
      const sale = { at, ...noMoney, order, reference: null };
      yield { ...sale, kind: "sale", currency, gross, fee };
      if (order.fee && order.fee.currency !== currency)
        yield { ...sale, kind: "fee", currency: order.fee.currency, fee: order.fee.amount };
      after = { at, number: order.number };
    }
    if (orders.length < rowsPerPage) return;
  }
}

/** Gives the fee of an order where it was told in the order's currency, and else null. */
export const ownFee = ({ fee, currency }: OrderRecord): number | null =>
  fee?.currency === currency ? fee.amount : null;

/** Reads one order after the other, so that the file never takes all connections of a pool. */
async function* refunds({ storage }: OwnerContext, of: Partition, span: Span): Source {
  let after: { readonly at: number; readonly id: string } | undefined;
  for (;;) {
    const succeeded = { ...span, ...(after && { after }) };
    const found = await storage.orders.listRefunds({ ...of, succeeded, limit: rowsPerPage });
    const page = found.slice(0, rowsPerPage);
    for (const refund of page) {
      const at = refundMoved(refund) ?? span.from;
      after = { at, id: refund.id };
      const order = await storage.orders.find("order", of, refund.order_id);
      // An order is deleted together with its refunds, by `wipeTestData`.
      if (!order) continue;
      const reference = refund.provider_reference ?? refund.id;
      const refunded = { ...noMoney, refunded: refund.amount };
      yield { kind: "refund", at, currency: order.currency, ...refunded, order, reference };
    }
    if (page.length < rowsPerPage) return;
  }
}

async function* chargebacks({ storage }: OwnerContext, of: Partition, span: Span): Source {
  let after: { readonly at: number; readonly order_id: string; readonly id: string } | undefined;
  for (;;) {
    const lost = { ...span, ...(after && { after }) };
    const page = await storage.lists.listDisputes({ ...of, lost, limit: rowsPerPage });
    for (const { dispute, order } of page) {
      const { id, order_id, updated_at: at, amount: charged_back } = dispute;
      after = { at, order_id, id };
      const { currency } = order;
      yield { kind: "chargeback", at, currency, ...noMoney, charged_back, order, reference: id };
    }
    if (page.length < rowsPerPage) return;
  }
}

/** Gives the rows of several sources in the order of their times. */
async function* merge(sources: readonly Source[]): Source {
  const heads: (Movement | null)[] = [];
  const take = async (index: number): Promise<void> => {
    const next = await sources[index]?.next();
    heads[index] = next && !next.done ? next.value : null;
  };

  try {
    for (const index of sources.keys()) await take(index);
    for (;;) {
      let first = -1;
      for (const [index, head] of heads.entries())
        if (head && head.at < (heads[first]?.at ?? Number.POSITIVE_INFINITY)) first = index;
      const movement = heads[first];
      if (!movement) return;

      yield movement;
      await take(first);
    }
  } finally {
    for (const source of sources) await source.return(undefined);
  }
}
