import type { Page } from "../../contract/routes.ts";
import { refuse } from "../../input/check.ts";
import { by, pageOf } from "../../rows/page.ts";
import type { DisputeWithOrder } from "../../rules/owner/list-records.ts";
import type { Partition } from "../../rules/records.ts";
import type { OwnerContext } from "../context.ts";
import { present, readListing } from "../listing.ts";

interface DueQuery extends Partition {
  readonly status?: string | null | undefined;
  readonly order_id?: string | null | undefined;
  readonly sort?: string | null | undefined;
  readonly limit?: number | null | undefined;
  readonly starting_after?: string | null | undefined;
}

interface DisputeKey {
  readonly order_id: string;
  readonly id: string;
}

/** What the list of disputes does with a row, in any order. */
interface DisputeRows<Out> {
  idOf(row: DisputeWithOrder): string;
  readKey(id: string): DisputeKey;
  render(row: DisputeWithOrder): Out;
}

interface DuePlace extends DisputeKey {
  readonly due: number;
}
interface DueDispute extends DuePlace {
  readonly row: DisputeWithOrder;
}

/** The most open disputes that are read at a time. */
const batch = 500;

/**
 * Lists open disputes by the time until which they can be answered; those whose time nobody told
 * come last in both directions. No index has this order, so it reads all that are open.
 */
export function listByDue<Out>(
  ctx: OwnerContext,
  query: DueQuery,
  { idOf, readKey, render }: DisputeRows<Out>,
): Promise<Page<Out>> {
  const { store_id, livemode, status, order_id, sort } = query;
  if (status !== "open") refuse("sort", `can be ${sort} only with the status open`);

  const isRising = sort === "due_by";
  const never = isRising ? Number.MAX_SAFE_INTEGER : -1;
  const compare = isRising ? by("+due", "+order_id", "+id") : by("-due", "-order_id", "-id");
  const placed = (row: DisputeWithOrder): DueDispute => {
    const { order_id, id, due_by } = row.dispute;
    return { row, due: due_by ?? never, order_id, id };
  };
  const filters = { store_id, livemode, status: "open" as const, ...present({ order_id }) };

  return readListing(ctx, query, {
    name: "disputes",
    async read(place, limit) {
      const after: DuePlace | null = place && { due: place.position, ...readKey(place.id) };
      let first: readonly DueDispute[] = [];
      let last: DisputeWithOrder["dispute"] | undefined;
      for (;;) {
        const seen = last && { after: last };
        const rows = await ctx.storage.lists.listDisputes({ ...filters, ...seen, limit: batch });
        const all = [...first, ...rows.map(placed)];
        first = pageOf<DuePlace, DueDispute>(all, compare, { after, limit });
        last = rows.at(-1)?.dispute;
        if (last === undefined || rows.length < batch) return first;
      }
    },
    placeOf: ({ row, due }) => ({ position: due, id: idOf(row) }),
    render: ({ row }) => render(row),
  });
}
