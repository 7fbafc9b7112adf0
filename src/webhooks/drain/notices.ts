import { timeBox } from "../../domain/async/time-box.ts";
import { minuteMs } from "../../domain/durations.ts";
import type { AlertRecord } from "../../rules/records.ts";
import type { WebhookStore } from "../../storage/webhook-store.ts";

export interface NoticeContext {
  readonly store: WebhookStore;
  /** Calls the host's `onAlert`. */
  tellAlert(alert: AlertRecord): Promise<void>;
  now(): number;
  onError(error: unknown, where: string): void;
}

const leaseMs = minuteMs;
const batchSize = 20;

/**
 * Tells the host of alerts. Each alert is leased to one worker, and is told again
 * when the host's callback throws or takes longer than `timeoutMs`.
 */
export async function deliverNotices(ctx: NoticeContext, timeoutMs: number): Promise<void> {
  const now = ctx.now();
  const claim = { now, lease_until: now + leaseMs, limit: batchSize };
  const alerts = await ctx.store.claimNotices(claim);

  await Promise.all(
    alerts.map(async (alert) => {
      const taken = await deliverNotice(ctx, alert, timeoutMs);
      // A notice that cannot be settled is told again when its lease ends.
      await ctx.store
        .settleNotice(alert, taken, ctx.now())
        .catch((error: unknown) => ctx.onError(error, "onAlert"));
    }),
  );
}

/** Gives false when the host's callback threw or did not end in time. */
async function deliverNotice(
  ctx: NoticeContext,
  alert: AlertRecord,
  timeoutMs: number,
): Promise<boolean> {
  const tell = async (): Promise<true> => {
    await ctx.tellAlert(alert);
    return true;
  };

  try {
    return await timeBox(tell(), timeoutMs, () => false);
  } catch (error) {
    ctx.onError(error, "onAlert");
    return false;
  }
}
