import { z } from "zod";
import type { Page } from "../../contract/routes.ts";
import { iso } from "../../domain/text/iso.ts";
import { check } from "../../input/check.ts";
import { foreignId } from "../../input/fields.ts";
import {
  type DisputeStatus,
  type DisputeWithOrder,
  disputeStatus,
  disputeStatuses,
} from "../../rules/owner/list-records.ts";
import type { OwnerContext } from "../context.ts";
import { ageOrder, ageSorts, listFields, present, readListing, refuseCursor } from "../listing.ts";

/** The orders of a list of disputes. */
export const disputeSorts = [...ageSorts, "due_by", "-due_by"] as const;

const DisputeListInput = z.strictObject({
  ...listFields,
  /**
   * The order of the list. It is `newest` by default. `due_by` is for the status `open` alone: what
   * must be answered first comes first, and last what nobody told the time of.
   */
  sort: z.enum(disputeSorts).nullish(),
  status: z.enum(disputeStatuses).nullish(),
  order_id: foreignId.nullish(),
});
/** Selects the disputes of a list. A filter that is left out, or null, lists all. */
export interface DisputeListInput extends z.input<typeof DisputeListInput> {}

/** A dispute of a payment, which a buyer opened at their bank. */
export interface OwnerDispute {
  /**
   * The `reference` that the dispute was opened with. It is unique only
   * within its order.
   */
  readonly reference: string;
  readonly order_id: string;
  readonly order_number: number;
  readonly status: DisputeStatus;
  /** In minor units, as the provider or the host told. */
  readonly amount: number;
  /** The order's currency. */
  readonly currency: string;
  readonly reason: string | null;
  /**
   * The time until which evidence is accepted, in ISO 8601, in UTC. Null means that nobody told the
   * time.
   */
  readonly due_by: string | null;
  /** The provider's id of the disputed money. It is null when it was not told. */
  readonly payment_reference: string | null;
  /** Who told of the dispute: the gateway, or your own code. */
  readonly told_by: "gateway" | "host";
  /** A time in ISO 8601, in UTC. */
  readonly created_at: string;
  /** A time in ISO 8601, in UTC. */
  readonly updated_at: string;
}

/** Reads the disputes that buyers' banks opened. */
export interface OwnerDisputes {
  /**
   * Lists the disputes of a store and mode, the newest first, or in the order of `sort`. Filters
   * limit the list to a status or an order. Throws `parameter_invalid` for a wrong filter, and
   * `invalid_cursor` for a cursor from a list with other filters.
   */
  list(input: DisputeListInput): Promise<Page<OwnerDispute>>;
}

export const renderDispute = ({ dispute, order }: DisputeWithOrder): OwnerDispute => ({
  reference: dispute.id,
  order_id: dispute.order_id,
  order_number: order.number,
  status: disputeStatus(dispute),
  amount: dispute.amount,
  currency: order.currency,
  reason: dispute.reason,
  due_by: dispute.due_by === null ? null : iso(dispute.due_by),
  payment_reference: dispute.payment_reference,
  told_by: dispute.notified ? "gateway" : "host",
  created_at: iso(dispute.created_at),
  updated_at: iso(dispute.updated_at),
});

export const createDisputes = (ctx: OwnerContext): OwnerDisputes => ({
  async list(input) {
    const query = check(DisputeListInput, input);
    if (query.sort?.endsWith("due_by"))
      return (await import("./due-disputes.ts")).listByDue(ctx, query, rows);

    const { store_id, livemode, status, order_id } = query;
    const filters = { store_id, livemode, ...ageOrder(query), ...present({ status, order_id }) };

    return readListing(ctx, query, {
      name: "disputes",
      read: (place, limit) =>
        ctx.storage.lists.listDisputes({
          ...filters,
          ...(place && { after: { created_at: place.position, ...readKey(place.id) } }),
          limit,
        }),
      placeOf: (row) => ({ position: row.dispute.created_at, id: idOf(row) }),
      render: renderDispute,
    });
  },
});

const idOf = ({ dispute }: DisputeWithOrder): string =>
  JSON.stringify([dispute.order_id, dispute.id]);

/** Gives the order and the reference of the cursor's dispute. */
function readKey(key: string): { readonly order_id: string; readonly id: string } {
  const [order_id, id]: unknown[] = JSON.parse(key);
  return typeof order_id === "string" && typeof id === "string" ? { order_id, id } : refuseCursor();
}

const rows = { idOf, readKey, render: renderDispute };
