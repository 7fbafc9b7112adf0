import { z } from "zod";
import { check, refuse } from "../../input/check.ts";
import { foreignId } from "../../input/fields.ts";
import { requireFunctions } from "../../input/option-kinds.ts";
import { rangeOfMonth } from "../../rules/archive/month.ts";
import { type OwnerContext, requireStore } from "../context.ts";
import type { ArchivedOrder } from "./archived-order.ts";
import { type ArchiveErasure, eraseEverywhere } from "./erase-archived.ts";
import { findArchived, readMonth } from "./find-archived.ts";
import { type MoveResult, moveMonth } from "./move-month.ts";
import type { ArchiveFiles } from "./parts.ts";

/** A month is moved when it ended so many months ago. No bank disputes its payments any more. */
export const leastAge = 18;

const ArchiveMonth = z.strictObject({
  store_id: foreignId,
  livemode: z.boolean(),
  /** A month in UTC, such as `2019-03`. Orders belong to the month in which they were made. */
  month: z.string().refine((value) => rangeOfMonth(value) !== null, "must be like 2019-03"),
});

/** Names a month of a store and mode. */
export interface ArchiveMonth extends z.input<typeof ArchiveMonth> {}

const ArchivedOrderRef = z.strictObject({
  store_id: foreignId,
  livemode: z.boolean(),
  order_id: foreignId.nullish(),
  number: z.int().min(1).nullish(),
});

/** Names an order by its id or its number. */
export interface ArchivedOrderRef extends z.input<typeof ArchivedOrderRef> {}

const ArchivedCustomerRef = z.strictObject({ store_id: foreignId, customer_id: foreignId });

/** Names a customer of a store, in both modes. */
export interface ArchivedCustomerRef extends z.input<typeof ArchivedCustomerRef> {}

/** The months of which orders were moved out. */
export interface ArchivedMonths {
  readonly live: readonly string[];
  readonly test: readonly string[];
}

/**
 * Moves the orders of past months into files of the host's, and reads them again. The guide to it
 * is docs/archive.md.
 */
export interface OwnerArchive {
  /**
   * Moves the orders of a month that are over into a file, and removes them once the file was read
   * back. The month ended 18 months ago or earlier. An order that is not over stays, and the result
   * says why. A call that was killed is called again. Throws `invalid_transition` while another
   * call works on the archive of the store.
   */
  move(
    month: ArchiveMonth,
    files: ArchiveFiles,
    options?: { readonly signal?: AbortSignal },
  ): Promise<MoveResult>;
  /** Reads an order from the files. Null means that they do not have it. */
  find(order: ArchivedOrderRef, files: ArchiveFiles): Promise<ArchivedOrder | null>;
  /** Reads all orders of a month. Each file's checksum is compared before its first order. */
  read(month: ArchiveMonth, files: ArchiveFiles): Promise<AsyncIterable<ArchivedOrder>>;
  /** Tells of which months a store has moved orders out. */
  months(store_id: string): Promise<ArchivedMonths>;
  /**
   * Erases a customer as `owner.eraseCustomer` does, and from the files too: call it in place of
   * that one. The result names the months whose files had the customer.
   */
  eraseCustomer(customer: ArchivedCustomerRef, files: ArchiveFiles): Promise<ArchiveErasure>;
}

const checkFiles = (files: ArchiveFiles): void =>
  requireFunctions("files", files, ["list", "read", "write", "remove"]);

export const createArchive = (ctx: OwnerContext): OwnerArchive => ({
  async move(month, files, { signal } = {}) {
    const checked = check(ArchiveMonth, month);
    checkFiles(files);
    await requireStore(ctx, checked.store_id);
    const { now } = await ctx.clock.of(checked);
    const open = rangeOfMonth(checked.month, leastAge);
    if (!open || open.to > now) refuse("month", `must have ended ${leastAge} months ago`);
    return moveMonth(ctx, checked, files, signal);
  },

  async find(order, files) {
    const { store_id, livemode, order_id, number } = check(ArchivedOrderRef, order);
    checkFiles(files);
    const partition = { store_id, livemode };
    await requireStore(ctx, store_id);
    if (order_id != null && number != null) return refuse("number", "cannot be used with order_id");
    if (order_id != null) return findArchived(files, { ...partition, order_id });
    if (number != null) return findArchived(files, { ...partition, number });
    return refuse("order_id", "is missing: name an order by its id or its number");
  },

  async read(month, files) {
    const checked = check(ArchiveMonth, month);
    checkFiles(files);
    await requireStore(ctx, checked.store_id);
    return readMonth(files, checked);
  },

  async months(store_id) {
    const { archive } = await requireStore(ctx, store_id);
    return { live: archive?.live ?? [], test: archive?.test ?? [] };
  },

  async eraseCustomer(customer, files) {
    const { store_id, customer_id } = check(ArchivedCustomerRef, customer);
    checkFiles(files);
    await requireStore(ctx, store_id);
    return eraseEverywhere(ctx, store_id, customer_id, files);
  },
});
