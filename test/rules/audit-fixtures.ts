import { type AuditedCall, auditAuthor } from "../../src/rules/audit/audit-entry.ts";
import type { AuditedChange, AuditRecord } from "../../src/rules/audit/audit-records.ts";
import { now } from "../payments/order-fixtures.ts";

export const partition = { store_id: "str_a", livemode: false };
export const time = Date.UTC(2026, 0, 2);
/** The same time as an entry shows it. */
export const iso = "2026-01-02T00:00:00.000Z";

/** The entry that one call of an actor writes of this change. */
export function entryOf(
  change: AuditedChange,
  about: AuditedCall["about"] = "order",
): AuditRecord | null {
  const { id, actor, action, created_at } = written;
  return auditAuthor({ id, actor, action, about, now: created_at }).entryOf(change);
}

/** What every entry has from its call. */
export const written = {
  id: "aud_1",
  actor: "ana",
  action: "thing.change",
  cut: [],
  created_at: now,
};
