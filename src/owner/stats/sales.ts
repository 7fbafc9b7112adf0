import { z } from "zod";
import { fail } from "../../contract/errors.ts";
import type { ProductOption } from "../../contract/schemas.ts";
import { iso } from "../../domain/text/iso.ts";
import { check, checkId, refuse } from "../../input/check.ts";
import { foreignId, moment, pageSize } from "../../input/fields.ts";
import { optionsField } from "../../rules/catalog/groups/product-options.ts";
import {
  type ComparedSale,
  mostSold,
  noSales,
  type SaleKind,
  type SaleSum,
} from "../../rules/owner/sales.ts";
import { startOfHour } from "../../rules/owner/stats.ts";
import type { ProductRecord } from "../../rules/records.ts";
import type { OwnerContext } from "../context.ts";
import { requireKnownStore } from "../known-store.ts";
import { longestMs } from "./stats.ts";

const OwnerSalesQuery = z.strictObject({
  store_id: foreignId,
  livemode: z.boolean(),
  from: moment,
  to: moment,
  compare_from: moment.optional(),
  limit: pageSize.nullish(),
});
/**
 * Selects the sales of a span of time. `from`, `to` and `compare_from` are rounded down to the
 * hour. `to` is not included, and lies at most 400 days after `from`. With `compare_from`, which
 * lies at most 400 days before `from`, each number has that of the span between them beside it.
 * `limit` is the length of each list: from 1 to 100, and 10 by default.
 */
export interface OwnerSalesQuery extends z.input<typeof OwnerSalesQuery> {}

/** What was sold, before refunds and lost disputes. */
export interface SalesNumbers extends SaleSum {
  /** The same numbers of the span before. Null without `compare_from`. */
  readonly before: SaleSum | null;
}

/** What a product brought. Its money is what was paid for its lines, without their discounts. */
export interface ProductSales extends SalesNumbers {
  readonly product_id: string;
  /** The name of today, or of the newest of these orders where the product is deleted. */
  readonly name: string;
  /** What tells the product from the others of its group. Absent without options. */
  readonly options?: readonly ProductOption[];
  readonly deleted: boolean;
}

/** What a channel brought. */
export interface ChannelSales extends SalesNumbers {
  /** The `channel` of its orders, such as `ucp:assistant.example`. Null when no agent sold. */
  readonly channel: string | null;
}

/** What a store sold by product, by channel, and to new and returning customers. */
export interface OwnerSales {
  /** A time in ISO 8601, in UTC, as the others are. */
  readonly from: string;
  readonly to: string;
  readonly compare_from: string | null;
  /**
   * The time from which on the numbers are complete. Orders of an older version are not yet counted
   * before it: the time moves back while `runMaintenance` counts them. Null means that all are
   * counted.
   */
  readonly complete_from: string | null;
  /** Only the currencies in which something was sold, by their codes. */
  readonly currencies: readonly {
    readonly currency: string;
    /** The products of which the most pieces were sold, the first of them first. */
    readonly products_by_pieces: readonly ProductSales[];
    /** The products that brought the most money, the first of them first. */
    readonly products_by_amount: readonly ProductSales[];
    /** The channels that brought the most money, the first of them first. */
    readonly channels: readonly ChannelSales[];
    /** The first paid orders of customers, and all their later ones. */
    readonly customers: { readonly new: SalesNumbers; readonly returning: SalesNumbers };
  }[];
}

const defaultLimit = 10;

export async function readSales(ctx: OwnerContext, input: OwnerSalesQuery): Promise<OwnerSales> {
  const query = check(OwnerSalesQuery, input);
  const store_id = checkId("store_id", query.store_id);
  const from = startOfHour(query.from);
  const to = startOfHour(query.to);
  if (to <= from) return refuse("to", "must be at least an hour after from");
  if (to - from > longestMs) return refuse("to", "must be at most 400 days after from");
  const isCompared = query.compare_from !== undefined;
  const before = startOfHour(query.compare_from ?? from);
  if (before > from) return refuse("compare_from", "must not be after from");
  if (from - before > longestMs)
    return refuse("compare_from", "must be at most 400 days before from");

  await requireKnownStore(ctx, store_id);
  const top = query.limit ?? defaultLimit;
  const partition = { store_id, livemode: query.livemode };
  // Customers are of two kinds, both of which are told.
  const sales = { before, top: Math.max(top, 2) };
  const counted = (await ctx.storage.stats.listHours({ ...partition, from, to, sales })).sales;
  if (!counted) throw new Error("The storage does not tell sales.");

  const rows = counted.rows.map(exact);
  const products = await productsOf(ctx, store_id, rows);
  const currencies = [...new Set(rows.map(({ currency }) => currency))].sort();
  return {
    from: iso(from),
    to: iso(to),
    compare_from: isCompared ? iso(before) : null,
    complete_from: counted.complete_from === null ? null : iso(counted.complete_from),
    currencies: currencies.map((currency) => {
      const ofCurrency = rows.filter((row) => row.currency === currency);
      return { currency, ...listsOf(ofCurrency, { products, top, isCompared }) };
    }),
  };
}

/** Refuses sums that a number does not hold exactly. */
function exact(row: ComparedSale): ComparedSale {
  for (const { pieces, amount } of [row.now, row.before])
    if (!Number.isSafeInteger(pieces) || !Number.isSafeInteger(amount)) {
      const message =
        "The sales of this range add up to more than 2^53-1. Ask for a shorter range.";
      return fail("amount_out_of_range", { message, param: "from" });
    }
  return row;
}

/** Looks up the products as they are today. Deleted ones are missing. */
async function productsOf(
  { storage }: OwnerContext,
  store_id: string,
  rows: readonly ComparedSale[],
): Promise<ReadonlyMap<string, ProductRecord>> {
  const ids = rows.flatMap(({ kind, subject }) => (kind === "product" ? [subject] : []));
  if (ids.length === 0) return new Map();

  const found = await storage.catalog.findProductRecords(store_id, [...new Set(ids)]);
  return new Map(found.map((product) => [product.id, product]));
}

interface Shown {
  readonly products: ReadonlyMap<string, ProductRecord>;
  readonly top: number;
  readonly isCompared: boolean;
}

function listsOf(rows: readonly ComparedSale[], { products: known, top, isCompared }: Shown) {
  const numbers = ({ now, before }: Pick<ComparedSale, "now" | "before">): SalesNumbers => ({
    ...now,
    before: isCompared ? before : null,
  });
  const of = (kind: SaleKind): readonly ComparedSale[] => rows.filter((row) => row.kind === kind);
  const products = (by: "pieces" | "amount"): readonly ProductSales[] =>
    mostSold(of("product"), by, top).map((row) => ({
      product_id: row.subject,
      name: known.get(row.subject)?.name ?? row.name,
      ...optionsField(known.get(row.subject) ?? {}),
      deleted: !known.has(row.subject),
      ...numbers(row),
    }));
  const customers = (subject: "new" | "returning"): SalesNumbers =>
    numbers(
      of("customers").find((row) => row.subject === subject) ?? { now: noSales, before: noSales },
    );

  return {
    products_by_pieces: products("pieces"),
    products_by_amount: products("amount"),
    channels: mostSold(of("channel"), "amount", top).map((row) => ({
      channel: row.subject === "" ? null : row.subject,
      ...numbers(row),
    })),
    customers: { new: customers("new"), returning: customers("returning") },
  };
}
