import type { OrderChanges } from "./order-changes.ts";
import type { OrderSnapshot } from "./order-snapshot.ts";
import type { SubscriptionRecord } from "./payment-records.ts";
import type { OrderRecord, Partition, ProductRecord } from "./records.ts";

/** What an entry of the audit log can be about. */
export const auditSubjects = [
  "store",
  "api_key",
  "product",
  "category",
  "coupon",
  "payment_method",
  "endpoint",
  "delivery",
  "alert",
  "order",
  "payment",
  "checkout_session",
  "subscription",
  "customer",
  "dashboard_link",
  "dashboard_session",
] as const;

/** The kind of record that an entry is about. */
export type AuditSubjectType = (typeof auditSubjects)[number];

/** The record that an entry is about. */
export interface AuditSubject {
  readonly type: AuditSubjectType;
  readonly id: string;
}

/** Values of fields by name, as JSON can hold them. */
export type AuditValues = Readonly<Record<string, unknown>>;

/** Who did what to what (docs/contract.md#audit). */
export interface AuditRecord {
  /** `aud_…`, one for each call that an actor made. */
  readonly id: string;
  readonly store_id: string;
  /** Null: it was about both modes. */
  readonly livemode: boolean | null;
  /** As `storefront.as` was told. */
  readonly actor: string;
  /** A name of the table of actions. A later version may have more. */
  readonly action: string;
  readonly subject: AuditSubject;
  /**
   * The fields that changed, with what they held; null when the subject is new. Times
   * are ISO 8601 UTC.
   */
  readonly before: AuditValues | null;
  /** The fields that changed, with what they hold; null when the subject was deleted. */
  readonly after: AuditValues | null;
  /** Fields that changed and whose values are never kept: personal data and secrets. */
  readonly withheld: readonly string[];
  /** Fields that changed and whose values are left out, because all may have 16 KiB. */
  readonly cut: readonly string[];
  readonly created_at: number;
}

/** Subjects of which one record is written at a time. */
export type AuditedRecordType = Exclude<
  AuditSubjectType,
  "delivery" | "order" | "payment" | "checkout_session" | "subscription" | "customer"
>;

export interface AuditedRecord {
  readonly store_id: string;
  readonly id: string;
  readonly livemode?: boolean;
}

/** What a step on orders started from. A step that changes a subscription names it. */
export type OrderStepBefore = Pick<
  OrderSnapshot,
  "session" | "order" | "attempts" | "payments" | "refunds" | "disputes"
> & { readonly subscription?: SubscriptionRecord | null };

/** How many products a call made, changed and left as they were. */
export interface ProductCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
}

/** What a step of the storage did, as the step tells it. */
export type AuditedChange =
  | {
      readonly kind: "record";
      readonly type: AuditedRecordType;
      readonly before: AuditedRecord | null;
      readonly after: AuditedRecord | null;
    }
  /** `before` has those of the products that were there already. */
  | {
      readonly kind: "products";
      readonly store_id: string;
      readonly before: readonly ProductRecord[];
      readonly after: readonly ProductRecord[];
    }
  /** `order` is the order as it was stored, with its number. */
  | {
      readonly kind: "order_step";
      readonly partition: Partition;
      readonly before: OrderStepBefore;
      readonly changes: OrderChanges;
      readonly order: OrderRecord | null;
    }
  /** What several steps of a call did in all: it takes the place of the first one's entry. */
  | {
      readonly kind: "counts";
      readonly store_id: string;
      readonly counts: ProductCounts;
    }
  /** Something was done that no record's fields show. */
  | {
      readonly kind: "action";
      readonly store_id: string;
      readonly livemode: boolean | null;
      readonly subject: AuditSubject;
      readonly before: AuditValues | null;
      readonly after: AuditValues | null;
    };

/**
 * Makes the entry of one call of an actor. The storage asks it in the transaction of
 * each step of the call, and stores the first entry that it gives.
 */
export interface AuditAuthor {
  /** Null for a change that leaves every recorded field as it was. */
  entryOf(change: AuditedChange): AuditRecord | null;
}
