import type { IdKind } from "../../domain/ids.ts";
import type { KeyScope, StoredReply } from "../../rules/checkout-records.ts";
import type { BuyerFacts, Completion, Submission } from "../../rules/order-commands.ts";
import type {
  CouponRecord,
  Partition,
  ProductRecord,
  SessionRecord,
  StoreRecord,
} from "../../rules/records.ts";
import type { Storage } from "../../storage/types.ts";

/** The few assertions the cases need, so that any test runner can run them. */
export interface Assert {
  equal(actual: unknown, expected: unknown, message?: string): void;
  deepEqual(actual: unknown, expected: unknown, message?: string): void;
  ok(value: unknown, message?: string): void;
}

export interface CaseContext {
  /** Fresh and migrated. */
  readonly storage: Storage;
  readonly clock: { now(): number; advance(ms: number): void };
  newId(kind: IdKind): string;
  readonly assert: Assert;
}

/** One rule of the storage port. A storage is right when it passes them all, each on a fresh instance. */
export interface StorageCase {
  readonly name: string;
  run(context: CaseContext): Promise<void>;
}

export const nobody: BuyerFacts = {
  id: null,
  email: null,
  name: null,
  discord_id: null,
  tax_id: null,
  tax_id_type: null,
  country: null,
};

/** Records for the cases: what a case does not name is plain. */
export function fixtures({ storage, clock, newId }: CaseContext) {
  const partition: Partition = { store_id: "str_A", livemode: false };
  const make = {
    partition,
    store: (changes: Partial<StoreRecord> = {}): StoreRecord => ({
      id: partition.store_id,
      slug: "a",
      name: "A",
      description: null,
      logo_url: null,
      website_url: null,
      support_email: null,
      support_url: null,
      terms_url: null,
      privacy_url: null,
      country: null,
      currency: "BRL",
      locale: "en",
      timezone: "UTC",
      headless_enabled: true,
      maintenance: false,
      catalog_version: 1,
      created_at: clock.now(),
      ...changes,
    }),
    product: (id: string, changes: Partial<ProductRecord> = {}): ProductRecord => ({
      id,
      store_id: partition.store_id,
      slug: id.toLowerCase().replace(/_/g, "-"),
      name: id,
      description: null,
      images: [],
      price: 1000,
      compare_at_price: null,
      currency: "BRL",
      promotion: null,
      category_ids: [],
      variables: [],
      recurring: null,
      max_quantity: null,
      active: true,
      blocked: false,
      stock: null,
      position: 0,
      created_at: clock.now(),
      updated_at: clock.now(),
      ...changes,
    }),
    coupon: (id: string, changes: Partial<CouponRecord> = {}): CouponRecord => ({
      id,
      store_id: partition.store_id,
      code: id,
      enabled: true,
      discount_type: "percentage",
      discount_amount: 10,
      currency: null,
      min_subtotal: null,
      product_ids: null,
      starts_at: null,
      ends_at: null,
      max_uses: null,
      max_uses_per_customer: null,
      created_at: clock.now(),
      ...changes,
    }),
    session: (changes: Partial<SessionRecord> = {}): SessionRecord => ({
      ...partition,
      id: newId("cs"),
      status: "open",
      payment_status: "unpaid",
      expires_at: clock.now() + 1_800_000,
      created_at: clock.now(),
      currency: "BRL",
      amount_subtotal: 1000,
      amount_discount: 0,
      amount_total: 1000,
      lines: [
        {
          id: newId("li"),
          product_id: "prod_1",
          product_slug: "prod-1",
          name: "One",
          image_url: null,
          quantity: 1,
          unit_amount: 1000,
          amount_subtotal: 1000,
          amount_discount: 0,
          amount_total: 1000,
          variables: {},
          recurring: null,
        },
      ],
      coupon_id: null,
      coupon_code: null,
      email: null,
      discord_id: null,
      customer_id: null,
      success_url: "https://a.example.com/ok",
      cancel_url: "https://a.example.com/ok",
      metadata: {},
      seal_key_id: null,
      checkout_url: null,
      ...changes,
    }),
    scope: (idempotency_key: string): KeyScope => ({
      ...partition,
      key_kind: "publishable",
      operation: "createCheckoutSession",
      idempotency_key,
    }),
    reply: (session: SessionRecord, fingerprint = "f"): StoredReply => ({
      status: 201,
      body: `{"id":"${session.id}"}`,
      request_id: newId("req"),
      session_id: session.id,
      fingerprint,
      created_at: session.created_at,
    }),
    submission: (session: SessionRecord, changes: Partial<Submission> = {}): Submission => ({
      ...partition,
      session_id: session.id,
      ids: orderIds(),
      now: clock.now(),
      external_stock: false,
      buyer: nobody,
      attempt: {
        id: newId("pay"),
        gateway: "sandbox",
        method_id: null,
        idempotency_key: null,
        expires_at: clock.now() + 3_600_000,
      },
      payment_method_type: "pix",
      ...changes,
    }),
    completion: (session: SessionRecord, changes: Partial<Completion> = {}): Completion => ({
      ...partition,
      session_id: session.id,
      ids: orderIds(),
      now: clock.now(),
      external_stock: false,
      buyer: nobody,
      attempt_id: newId("pay"),
      reference: "r1",
      status: "paid",
      amount: session.amount_total,
      currency: session.currency,
      payment_method_type: null,
      ...changes,
    }),
    async shop(products: readonly ProductRecord[] = [make.product("prod_1")]): Promise<void> {
      await storage.access.createStore(make.store());
      await storage.catalog.putProducts(
        partition.store_id,
        products.map((record) => ({ record, set_stock: true })),
      );
    },
    async openSession(changes: Partial<SessionRecord> = {}): Promise<SessionRecord> {
      const session = make.session(changes);
      await storage.checkout.createSession(make.scope(session.id), {
        session,
        reply: make.reply(session),
        lock_token: null,
      });
      return session;
    },
    async events(): Promise<readonly { sequence: number; type: string }[]> {
      const listed = await storage.webhooks.listEvents({ ...partition, limit: 10_000 });
      return listed.outcome === "listed" ? listed.events : [];
    },
  };
  const orderIds = () => ({
    order: newId("ord"),
    customer: newId("cus"),
    items: [newId("oi")],
    events: [newId("evt"), newId("evt"), newId("evt"), newId("evt")],
    alerts: [newId("alr"), newId("alr")],
    subscription: newId("sub"),
  });
  return { ...make, orderIds };
}

export const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
