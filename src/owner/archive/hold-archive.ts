import { fail } from "../../contract/errors.ts";
import type { MonthOf } from "../../rules/archive/month.ts";
import { leaseArchive, releaseArchive } from "../../steps/archive-steps.ts";
import { type OwnerContext, unknownStore } from "../context.ts";

/** Another process may go on after this time, when the one that works on the files has died. */
const leaseMs = 60_000;

/** The lease of a call that works on the files of a store. */
export interface ArchiveHold {
  /** Prolongs the lease when it is half over. Throws when another call has it by now. */
  keep(): Promise<void>;
  /** Notes a month of which orders are to be removed. */
  note(moved: Pick<MonthOf, "livemode" | "month">): Promise<void>;
}

/**
 * Works on the files of a store alone. The lease saves two calls from doing the same work: what is
 * removed is judged order by order, so that nothing is lost when two work all the same.
 */
export async function holdArchive<Result>(
  ctx: OwnerContext,
  store_id: string,
  work: (hold: ArchiveHold) => Promise<Result>,
): Promise<Result> {
  const { records } = ctx.storage;
  const token = ctx.newId("req");
  let until = 0;
  const lease = async (moved?: Parameters<ArchiveHold["note"]>[0]): Promise<void> => {
    const now = ctx.now();
    const next = now + leaseMs;
    const leased = await leaseArchive(records, { store_id, token, now, until: next }, moved);
    if (leased === "unknown_store") return unknownStore();
    if (leased === "taken")
      fail("invalid_transition", {
        param: "store_id",
        message: "Another call works on the archive of this store: call again in a minute.",
      });
    until = next;
  };

  await lease();
  try {
    return await work({
      keep: async () => (ctx.now() < until - leaseMs / 2 ? undefined : lease()),
      note: async (moved) => {
        await lease(moved);
        ctx.changed(store_id);
      },
    });
  } finally {
    await releaseArchive(records, { store_id, token });
  }
}
