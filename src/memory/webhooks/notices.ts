import type { WebhookStore } from "../../storage/webhook-store.ts";
import { rowKey } from "../row-key.ts";
import type { MemoryState } from "../state.ts";

export function memoryNotices({
  webhooks: { notices },
}: MemoryState): Pick<WebhookStore, "claimNotices" | "settleNotice"> {
  return {
    async claimNotices({ now, lease_until, limit }) {
      const due = [...notices].filter(([, { due_at }]) => due_at <= now).slice(0, limit);

      for (const [key, { alert }] of due) notices.set(key, { alert, due_at: lease_until });
      return due.map(([, { alert }]) => alert);
    },
    async settleNotice(alert, taken, now) {
      const key = rowKey(alert, alert.id);
      if (taken) notices.delete(key);
      else if (notices.has(key)) notices.set(key, { alert, due_at: now });
    },
  };
}
