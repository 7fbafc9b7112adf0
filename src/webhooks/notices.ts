import type { AlertRecord } from "../rules/records.ts";
import type { WebhookStore } from "../storage/webhook-store.ts";

export interface NoticeContext {
  readonly store: WebhookStore;
  /** The host's `onAlert`. */
  tellAlert(alert: AlertRecord): Promise<void>;
  now(): number;
  onError(error: unknown, where: string): void;
}

const leaseMs = 60_000;
const batch = 20;

/** Tells the host of alerts until its callback returns: once per alert among all workers, again after a throw or a silence of `timeoutMs`. */
export async function giveNotices(ctx: NoticeContext, timeoutMs: number): Promise<void> {
  const now = ctx.now();
  const alerts = await ctx.store.claimNotices({ now, lease_until: now + leaseMs, limit: batch });
  await Promise.all(
    alerts.map(async (alert) => {
      const taken = await within(timeoutMs, () => ctx.tellAlert(alert)).catch((error: unknown) => {
        ctx.onError(error, "onAlert");
        return false;
      });
      await ctx.store.settleNotice(alert, taken, ctx.now());
    }),
  );
}

/** False when the work is not done in time; nothing stops it. */
function within(timeoutMs: number, work: () => Promise<void>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), timeoutMs);
    Promise.resolve()
      .then(work)
      .then(() => resolve(true), reject)
      .finally(() => clearTimeout(timer));
  });
}
