import type { MonthOf } from "../rules/archive/month.ts";
import type { StoreArchive } from "../rules/archive/store-archive.ts";
import { withoutChanges } from "../rules/orders/order-changes.ts";
import type { OrderSnapshot } from "../rules/orders/order-snapshot.ts";
import type { OrderRecord } from "../rules/records.ts";
import type { RecordStore } from "../storage/record-store.ts";
import type { StepStore } from "../storage/step-store.ts";
import { history, type OrderCommand } from "./run-step.ts";

/** Names the call that works on the files of a store. */
export interface ArchiveLease {
  readonly store_id: string;
  readonly token: string;
  readonly now: number;
  readonly until: number;
}

/** How a call that asks for the lease ends. `taken`: another call is at work. */
export type Leased = "leased" | "taken" | "unknown_store";

const nothing: StoreArchive = { live: [], test: [], lease: null };

/** Takes or prolongs the lease, and notes a month of which orders are to be removed. */
export const leaseArchive = (
  records: RecordStore,
  { store_id, token, now, until }: ArchiveLease,
  moved?: Pick<MonthOf, "livemode" | "month">,
): Promise<Leased> =>
  changeArchive(records, "leaseArchive", store_id, (archive) => {
    const { lease } = archive;
    if (lease && lease.token !== token && lease.until > now) return null;

    const held = { ...archive, lease: { token, until } };
    if (!moved) return held;
    const mode = moved.livemode ? "live" : "test";
    return { ...held, [mode]: [...new Set([...archive[mode], moved.month])].sort() };
  });

/** Ends the lease of a call that is done. */
export const releaseArchive = (
  records: RecordStore,
  { store_id, token }: Pick<ArchiveLease, "store_id" | "token">,
): Promise<Leased> =>
  changeArchive(records, "releaseArchive", store_id, (archive) =>
    archive.lease?.token === token ? { ...archive, lease: null } : null,
  );

const changeArchive = (
  records: RecordStore,
  step: string,
  store_id: string,
  decide: (archive: StoreArchive) => StoreArchive | null,
): Promise<Leased> =>
  records.step<"store", Leased>(
    { on: "store", step, store_id, id: store_id, may: "change" },
    ({ record }) => {
      if (!record) return { result: "unknown_store" };
      const archive = decide(record.store.archive ?? nothing);
      if (!archive) return { result: "taken" };
      return { result: "leased", after: { ...record, store: { ...record.store, archive } } };
    },
  );

/** An order as a step finds it. */
export type FoundWhole = OrderSnapshot & { readonly order: OrderRecord };

/**
 * Removes an order that is in a file, unless `mayGo` finds that it is no longer as it was
 * written there, or not counted. `gone` is one that another call has removed.
 */
export const removeArchived = (
  steps: StepStore,
  command: OrderCommand,
  mayGo: (found: FoundWhole) => boolean,
): Promise<"removed" | "changed" | "gone"> =>
  steps.step({ ...history("removeArchived", command), needs: "all" }, (found) => {
    const { order } = found;
    if (!order) return withoutChanges("gone");
    if (!mayGo({ ...found, order })) return withoutChanges("changed");
    return { result: "removed", changes: null, removes: true };
  });
