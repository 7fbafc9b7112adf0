import { timeBox } from "../domain/async/time-box.ts";
import type { HttpContext } from "../http/context.ts";

const flushMs = 5_000;

/** Writes what the request log still holds, unless the storage takes too long for it. */
export async function flushRequestLog({
  requestLog,
}: Pick<HttpContext, "requestLog">): Promise<void> {
  if (requestLog) await timeBox(requestLog.flush(), flushMs, () => undefined);
}

/** Writes the uses of keys that still wait, unless the storage takes too long for it. */
export async function flushKeyUses({ keyUses }: Pick<HttpContext, "keyUses">): Promise<void> {
  await timeBox(keyUses.flush(), flushMs, () => undefined);
}
