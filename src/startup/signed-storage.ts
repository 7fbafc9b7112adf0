import type { AuditAuthor } from "../rules/audit/audit-records.ts";
import type { Storage } from "../storage/types.ts";

/**
 * Gives the same storage for one call of an actor: each step that changes something
 * names the author, and so stores the author's entry in its own transaction.
 */
export function signedStorage(storage: Storage, author: AuditAuthor): Storage {
  const { orders, records, webhooks, dashboard, privacy, audit } = storage;

  return over(storage, {
    orders: over(orders, {
      step: (subject, decide) => orders.step({ ...subject, author }, decide),
      revokeCustomerTokens: (revocation) => orders.revokeCustomerTokens({ ...revocation, author }),
    }),
    records: over(records, {
      step: (subject, decide) => records.step({ ...subject, author }, decide),
      stepProducts: (subject, decide) => records.stepProducts({ ...subject, author }, decide),
    }),
    webhooks: over(webhooks, {
      recoverDeliveries: (recovery) => webhooks.recoverDeliveries({ ...recovery, author }),
    }),
    dashboard: over(dashboard, {
      createLink: (link) => dashboard.createLink(link, author),
      endLink: (link, now) => dashboard.endLink(link, now, author),
      spendLink: (link, session, now) => dashboard.spendLink(link, session, now, author),
      endSession: (session) => dashboard.endSession(session, author),
    }),
    privacy: over(privacy, {
      eraseChunk: (erasure, position) => privacy.eraseChunk({ ...erasure, author }, position),
      wipeTestChunk: (store_id, position) => privacy.wipeTestChunk(store_id, position, author),
    }),
    audit: over(audit, { note: (change) => audit.note(change, author) }),
  });
}

/** Puts a few methods before those of a store, whose other methods stay as they are. */
const over = <Store extends object>(store: Store, own: Partial<Store>): Store =>
  Object.assign(Object.create(store), own);
