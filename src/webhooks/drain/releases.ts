import type { DrainContext, DrainCounts } from "./drain-context.ts";
import type { LeasedDelivery } from "./endpoint-queue.ts";

export type Releases = ReturnType<typeof createReleases>;

/** Gives leased deliveries back unsent, so that they are due again at once. */
export function createReleases(
  ctx: Pick<DrainContext, "store" | "now" | "onError">,
  counts: DrainCounts,
) {
  let pending = Promise.resolve();

  async function release(unsent: readonly LeasedDelivery[]): Promise<void> {
    counts.released += unsent.length;

    for (const token of new Set(unsent.map((leased) => leased.token))) {
      const deliveries = unsent
        .filter((leased) => leased.token === token)
        .map(({ delivery }) => delivery);

      await ctx.store
        .releaseDeliveries(deliveries, token, ctx.now())
        .catch((error: unknown) => ctx.onError(error, "webhooks"));
    }
  }

  return {
    release,
    /** Releases without making the caller wait. `settled` waits for it. */
    releaseInBackground(unsent: readonly LeasedDelivery[]): void {
      pending = Promise.all([pending, release(unsent)]).then(() => {});
    },
    /** Resolves when everything that is released in the background is written down. */
    settled: (): Promise<void> => pending,
  };
}
