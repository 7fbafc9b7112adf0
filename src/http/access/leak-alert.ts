import { hourMs, minuteMs } from "../../domain/durations.ts";
import type { AccessRecord } from "../../rules/records.ts";
import type { HttpContext } from "../context.ts";

/** At most one alert for a key is raised in this time, over all processes. */
const quietMs = hourMs;
/**
 * The time after which this process asks the storage again when another process has raised the
 * alert.
 */
const recheckMs = minuteMs;
const maxQuietLeaks = 10_000;

/**
 * Raises the alert that a secret key was used from a browser, and revokes the key
 * where the host asked for it.
 */
export async function raiseLeakAlert(ctx: HttpContext, { key }: AccessRecord): Promise<void> {
  const now = ctx.now();
  if (ctx.steadyNow() < (ctx.quietLeaks.get(key.id) ?? Number.NEGATIVE_INFINITY)) return;

  const alert = {
    id: ctx.newId("alr"),
    store_id: key.store_id,
    livemode: key.livemode,
    type: "secret_key_in_browser",
    subject: key.id,
    data: { key_id: key.id, last4: key.last4 },
    created_at: now,
  };
  const { raised } = await ctx.storage.access.raiseAlert(alert, now - quietMs + 1);
  if (raised) ctx.onAlert(alert);

  if (ctx.revokeLeakedKeys && key.revoked_at === null) {
    const { revokeKey } = await import("../../steps/record-steps.ts");
    await revokeKey(ctx.storage.records, { store_id: key.store_id, id: key.id }, now);
    ctx.clearStore(key.store_id);
  }

  // This comes last, so that a key whose revocation failed is tried again at its next request.
  if (ctx.quietLeaks.size > maxQuietLeaks) ctx.quietLeaks.clear();
  ctx.quietLeaks.set(key.id, ctx.steadyNow() + (raised ? quietMs : recheckMs));
}
