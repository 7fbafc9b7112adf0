import type { KeyScope, StoredReply } from "../../rules/checkout-records.ts";
import type {
  CouponRecord,
  ProductRecord,
  SessionRecord,
  StoreRecord,
} from "../../rules/records.ts";
import type { CaseContext } from "./case.ts";
import { commandFixtures } from "./command-fixtures.ts";
import {
  couponRecord,
  partition,
  productRecord,
  sessionRecord,
  storeRecord,
} from "./record-fixtures.ts";

export interface ListedEvent {
  readonly sequence: number;
  readonly type: string;
}

/**
 * Makes records and commands at the time of the case's clock, and brings them into
 * the storage.
 */
export function fixtures(context: CaseContext) {
  const { storage, clock, newId } = context;

  const store = (changes?: Partial<StoreRecord>): StoreRecord => storeRecord(clock.now(), changes);
  const product = (id: string, changes?: Partial<ProductRecord>): ProductRecord =>
    productRecord(id, clock.now(), changes);
  const coupon = (id: string, changes?: Partial<CouponRecord>): CouponRecord =>
    couponRecord(id, clock.now(), changes);
  const session = (changes?: Partial<SessionRecord>): SessionRecord =>
    sessionRecord(newId, clock.now(), changes);

  /** Gives the parts of a session's reply that name its customer. */
  const shownSession = ({ id, email, discord_id, ...session }: SessionRecord) => ({
    id,
    customer: { email, discord_id },
    line_items: session.lines.map(({ variables }) => ({ variables })),
    success_url: session.success_url,
    cancel_url: session.cancel_url,
    metadata: session.metadata,
  });
  const scope = (idempotency_key: string): KeyScope => ({
    ...partition,
    key_kind: "publishable",
    operation: "createCheckoutSession",
    idempotency_key,
  });
  const reply = (session: SessionRecord, fingerprint = "f"): StoredReply => ({
    status: 201,
    body: JSON.stringify({ data: shownSession(session) }),
    request_id: newId("req"),
    session_id: session.id,
    fingerprint,
    created_at: session.created_at,
  });

  /** Stores the store and its products. */
  const shop = async (products: readonly ProductRecord[] = [product("prod_1")]): Promise<void> => {
    await storage.access.createStore(store());
    await storage.catalog.putProducts(
      partition.store_id,
      products.map((record) => ({ record, set_stock: true })),
    );
  };
  /** Stores an open session under an idempotency key of its own. */
  const openSession = async (changes?: Partial<SessionRecord>): Promise<SessionRecord> => {
    const opened = session(changes);
    await storage.checkout.createSession(scope(opened.id), {
      session: opened,
      reply: reply(opened),
      lock_token: null,
    });
    return opened;
  };
  const events = async (): Promise<readonly ListedEvent[]> => {
    const listed = await storage.webhooks.listEvents({ ...partition, limit: 10_000 });
    return listed.outcome === "listed" ? listed.events : [];
  };

  const records = { partition, store, product, coupon, session, scope, reply };
  return { ...records, ...commandFixtures(context), shop, openSession, events };
}
