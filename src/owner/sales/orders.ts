import { z } from "zod";
import { fail } from "../../contract/errors.ts";
import { defaultPageSize } from "../../contract/query-parameters.ts";
import type { Page } from "../../contract/routes.ts";
import { type Order, orderStatuses } from "../../contract/schemas.ts";
import { iso } from "../../domain/text/iso.ts";
import { check, checkId, refuse } from "../../input/check.ts";
import { foreignId, pageSize, text } from "../../input/fields.ts";
import { archivedMonthOf } from "../../rules/archive/month.ts";
import { renderOrder } from "../../rules/catalog/render-order.ts";
import { showOrder } from "../../rules/entitlements/show-order.ts";
import { maxNotes } from "../../rules/orders/order-terms.ts";
import type { NoteRecord, OrderRecord, Partition } from "../../rules/records.ts";
import { addNote } from "../../steps/record-steps.ts";
import { notFound, type OwnerContext, requireStore } from "../context.ts";
import { requireKnownStore } from "../known-store.ts";
import { ageOrder, createdFields, sortField } from "../listing.ts";
import { pageOf, readPage } from "../page.ts";
import type { OwnerActivation, OwnerActivationRef } from "./order-licenses.ts";
import { type DeliveredEvent, type OwnerTimelineEntry, timelineOf } from "./order-timeline.ts";

/** An order as its store's owner sees it. */
export interface OwnerOrder extends Order {
  readonly store_id: string;
  readonly livemode: boolean;
  /**
   * The agent that sold it: `ucp:agent.example`, `acp:name` or `mcp`. It is null for every other
   * order. Agents choose their names: they prove nothing.
   */
  readonly channel: string | null;
}

/** A text that the owner wrote about an order. */
export interface OwnerNote {
  /** Begins with `note_`. */
  readonly id: string;
  readonly order_id: string;
  readonly text: string;
  /** A time in ISO 8601, in UTC. */
  readonly created_at: string;
}

export const OwnerOrderQuery = z.strictObject({
  store_id: foreignId,
  livemode: z.boolean(),
  status: z.enum(orderStatuses).nullish(),
  customer_id: foreignId.nullish(),
  /**
   * An order number (`1042` or `#1042`), order id, session id, payment reference or product id,
   * or the first three or more characters of an e-mail or of a word in the buyer's name.
   */
  search: text(300).nullish(),
  /** The id of a product that the order has. */
  product: foreignId.nullish(),
  /** The agent that sold it (`ucp:agent.example`), or a whole protocol: `acp`, `mcp` or `ucp`. */
  channel: text(100).nullish(),
  ...createdFields,
  ...sortField,
  /** The limit is from 1 to 100, and 20 by default. */
  limit: pageSize.nullish(),
  starting_after: foreignId.nullish(),
});

/** Selects the orders of a list. */
export interface OwnerOrderQuery extends z.input<typeof OwnerOrderQuery> {}

const OwnerOrderRef = z.strictObject({
  store_id: foreignId,
  livemode: z.boolean(),
  order_id: foreignId,
});

/** Names one order of a store and mode. */
export interface OwnerOrderRef extends z.input<typeof OwnerOrderRef> {}

const OwnerEntitlementRef = z.strictObject({ ...OwnerOrderRef.shape, entitlement_id: foreignId });
/** Names what an order has given to its buyer. */
export interface OwnerEntitlementRef extends z.input<typeof OwnerEntitlementRef> {}

const OwnerNoteInput = z.strictObject({ ...OwnerOrderRef.shape, text: text(5_000) });
/** Describes a new note. It is plain text of at most 5,000 characters. */
export interface OwnerNoteInput extends z.input<typeof OwnerNoteInput> {}

const OwnerNoteQuery = z.strictObject({
  ...OwnerOrderRef.shape,
  /** The limit is from 1 to 100, and 20 by default. */
  limit: pageSize.nullish(),
  starting_after: foreignId.nullish(),
});

/** Selects the notes on an order. */
export interface OwnerNoteQuery extends z.input<typeof OwnerNoteQuery> {}

/**
 * Reads the orders of a store, and writes notes on them. Each call throws
 * `resource_not_found` for an order of another store or mode
 * (docs/contract/back-office.md#back-office).
 */
export interface OwnerOrders {
  /**
   * Lists orders, the newest first. `sort: "oldest"` reverses the list. `starting_after` takes the
   * `next_cursor` of the page before.
   */
  list(query: OwnerOrderQuery): Promise<Page<OwnerOrder>>;
  /**
   * Reads an order, with what its buyer has got. Throws `resource_not_found` for an order
   * of another store or mode.
   */
  retrieve(order: OwnerOrderRef): Promise<OwnerOrder>;
  /**
   * Lists all that happened to the order, the oldest first. It has the newest 100
   * events whose bytes are kept, and of each of them at most 100 deliveries, the
   * newest.
   */
  timeline(order: OwnerOrderRef): Promise<readonly OwnerTimelineEntry[]>;
  /**
   * Gives the buyer again what a refund or a dispute has taken back: one entitlement, whatever the
   * order's status. It stays the buyer's. Throws `invalid_transition` for one that was not taken
   * back.
   */
  regrant(entitlement: OwnerEntitlementRef): Promise<OwnerOrder>;
  /** Lists where the license keys of the order are in use, the oldest first for each key. */
  listActivations(order: OwnerOrderRef): Promise<readonly OwnerActivation[]>;
  /**
   * Ends the use of a license key on a machine, so that another one can take its place. Gives what
   * is left of the order's. One that has ended already changes nothing.
   */
  deactivate(activation: OwnerActivationRef): Promise<readonly OwnerActivation[]>;
  /** Adds a note. Throws `parameter_invalid` when the order has 1,000 notes already. */
  addNote(note: OwnerNoteInput): Promise<OwnerNote>;
  /** Lists notes, the newest first. */
  listNotes(query: OwnerNoteQuery): Promise<Page<OwnerNote>>;
}

export const renderOwnerOrder = (order: OrderRecord): OwnerOrder => ({
  ...renderOrder(order),
  store_id: order.store_id,
  livemode: order.livemode,
  channel: order.channel ?? null,
});

export const renderNote = ({ id, order_id, text, created_at }: NoteRecord): OwnerNote => ({
  id,
  order_id,
  text,
  created_at: iso(created_at),
});

/** Shows an order with what its buyer has got. */
async function showWhole(ctx: OwnerContext, order: OrderRecord): Promise<OwnerOrder> {
  const { store_id, livemode, channel = null } = order;
  return { ...(await showOrder(ctx, order)), store_id, livemode, channel };
}

/** Throws `resource_not_found`, which names the month where the archive may have the order. */
async function unknownOrder(
  ctx: OwnerContext,
  partition: Partition,
  order_id: string,
): Promise<never> {
  const store = await requireStore(ctx, partition.store_id);
  const archived_in = archivedMonthOf(store, partition, order_id);
  if (archived_in === null) return fail("resource_not_found", { param: "order_id" });

  const message = `The order is not here: those of ${archived_in} are in the archive.`;
  return fail("resource_not_found", { param: "order_id", message, archived_in });
}

export function createOwnerOrders(ctx: OwnerContext): OwnerOrders {
  const { orders, backOffice, records } = ctx.storage;

  return {
    list: (query) => listOrders(ctx, query),

    async retrieve(reference) {
      const { order_id, ...partition } = check(OwnerOrderRef, reference);
      const order = await orders.find("order", partition, checkId("order_id", order_id));
      if (!order) return unknownOrder(ctx, partition, order_id);

      return showWhole(ctx, order);
    },

    async regrant(reference) {
      const named = check(OwnerEntitlementRef, reference);
      const command = { ...named, ids: { events: [ctx.newId("evt")] }, now: ctx.now() };
      const { regrant } = await import("../../steps/license-steps.ts");
      const result = await regrant(orders, command);
      if (result.outcome === "unknown") return notFound(ctx, named.store_id, "entitlement_id");
      if (result.outcome === "not_revoked")
        return fail("invalid_transition", { message: "The buyer has it: it was not taken back." });

      ctx.due();
      return showWhole(ctx, result.order);
    },

    listActivations: async (order) =>
      (await import("./order-licenses.ts")).listActivations(ctx, order),
    deactivate: async (activation) =>
      (await import("./order-licenses.ts")).deactivate(ctx, activation),

    async timeline(reference) {
      const { order_id, ...partition } = check(OwnerOrderRef, reference);
      const history = await backOffice.findHistory(partition, order_id);
      if (!history) return unknownOrder(ctx, partition, order_id);
      return timelineOf(history, await findEvents(ctx, partition, order_id));
    },

    async addNote(input) {
      const checked = check(OwnerNoteInput, input);
      const { now: created_at } = await ctx.clock.of(checked);
      const note: NoteRecord = { ...checked, id: ctx.newId("note"), created_at };
      const { outcome } = await addNote(records, note, maxNotes);
      if (outcome === "unknown_order") return notFound(ctx, note.store_id, "order_id");
      if (outcome === "limit") return refuse("order_id", `names an order with ${maxNotes} notes`);
      return renderNote(note);
    },

    async listNotes(query) {
      const { store_id, livemode, order_id, limit, starting_after } = check(OwnerNoteQuery, query);
      const partition = { store_id, livemode };
      const read = (page: { readonly after: string | null; readonly limit: number }) =>
        backOffice.listNotes(partition, order_id, page);

      const found = await readPage({ limit, starting_after }, read, renderNote);
      const isKnown =
        found.data.length > 0 || (await orders.find("order", partition, order_id)) !== null;
      return isKnown ? found : unknownOrder(ctx, partition, order_id);
    },
  };
}

const maxTimelineEvents = 100;
/**
 * A store has at most 50 endpoints at a time. Deliveries to deleted endpoints stay,
 * so there may be more.
 */
const maxEventDeliveries = 100;

/** Reads one event after the other, so that one page never takes all connections of a pool. */
async function findEvents(
  ctx: OwnerContext,
  partition: Partition,
  order_id: string,
): Promise<readonly DeliveredEvent[]> {
  const { lists, webhooks } = ctx.storage;
  const events = await lists.listEvents({ ...partition, order_id, limit: maxTimelineEvents });

  const delivered: DeliveredEvent[] = [];
  for (const event of events) {
    const query = { ...partition, event_id: event.id, limit: maxEventDeliveries };
    delivered.push({ event, deliveries: await webhooks.listDeliveries(query) });
  }
  return delivered;
}

async function listOrders(ctx: OwnerContext, query: OwnerOrderQuery): Promise<Page<OwnerOrder>> {
  const checked = check(OwnerOrderQuery, query);
  const { store_id, livemode, status, customer_id, search, product, channel } = checked;
  const { created_from, created_to, starting_after } = checked;
  const limit = checked.limit ?? defaultPageSize;
  if (created_from != null && created_to != null && created_from >= created_to)
    refuse("created_to", "must be after created_from");

  const found = await ctx.storage.backOffice.searchOrders({
    store_id,
    livemode,
    limit,
    ...(status == null ? {} : { status }),
    ...(customer_id == null ? {} : { customer_id }),
    ...(search == null ? {} : { search }),
    ...(product == null ? {} : { product_id: product }),
    ...(channel == null ? {} : { channel }),
    ...(created_from == null ? {} : { created_from }),
    ...(created_to == null ? {} : { created_to }),
    ...(starting_after == null ? {} : { after: starting_after }),
    ...ageOrder(checked),
  });
  if (found.outcome === "unknown_cursor")
    return fail("invalid_cursor", { param: "starting_after" });
  if (found.orders.length === 0) await requireKnownStore(ctx, store_id);

  return pageOf(found.orders, limit, renderOwnerOrder);
}
