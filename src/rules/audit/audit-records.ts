import type { OrderChanges } from "../orders/order-changes.ts";
import type { OrderSnapshot } from "../orders/order-snapshot.ts";
import type { SubscriptionRecord } from "../payments/payment-records.ts";
import type { OrderRecord, Partition, ProductRecord } from "../records.ts";

/** An entry of the audit log can be about these kinds of record. */
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
  "person",
] as const;

/** The kind of record that an entry is about. */
export type AuditSubjectType = (typeof auditSubjects)[number];

/** The record that an entry is about. */
export interface AuditSubject {
  readonly type: AuditSubjectType;
  readonly id: string;
}

/** The values of fields by their names. JSON can hold them. */
export type AuditValues = Readonly<Record<string, unknown>>;

/** Whoever acts, and what has let that person in. */
export interface AuditSigner {
  /** The name that was given to `storefront.as`, or that of the dashboard's visitor. */
  readonly actor: string;
  /**
   * `link` when the actor came into the dashboard by a link, whose maker has chosen the
   * name in `actor`. `mcp` when an assistant has acted for the actor. Left out otherwise.
   */
  readonly via?: "link" | "mcp";
  /** The maker of that link. Null for the host's own code. Left out unless `via` is `link`. */
  readonly made_by?: string | null;
}

/** An entry tells who did what to which record (docs/contract/dashboard.md#audit). */
export interface AuditRecord extends AuditSigner {
  /** The id begins with `aud_`. Each call of an actor has one. */
  readonly id: string;
  readonly store_id: string;
  /** The entry is about this mode. Null means both modes. */
  readonly livemode: boolean | null;
  /** The action has this name in the table of actions. A later version may have more names. */
  readonly action: string;
  readonly subject: AuditSubject;
  /**
   * The changed fields with their old values. It is null when the subject
   * is new. Times are ISO 8601 UTC.
   */
  readonly before: AuditValues | null;
  /** The changed fields with their new values. It is null when the subject was deleted. */
  readonly after: AuditValues | null;
  /**
   * The values of these changed fields are never kept, because they are personal
   * data or secrets.
   */
  readonly withheld: readonly string[];
  /**
   * The values of these changed fields are left out, because all values may take 16
   * KiB at most.
   */
  readonly cut: readonly string[];
  readonly created_at: number;
}

/** The kinds of subject of which one record is written at a time. */
export type AuditedRecordType = Exclude<
  AuditSubjectType,
  "delivery" | "order" | "payment" | "checkout_session" | "subscription" | "customer"
>;

/** The parts of a record by which the audit log names it. */
export interface AuditedRecord {
  readonly store_id: string;
  readonly id: string;
  readonly livemode?: boolean;
}

/** The records before a step on orders. A step that changes a subscription names it. */
export type OrderStepBefore = Pick<
  OrderSnapshot,
  "session" | "order" | "attempts" | "payments" | "refunds" | "disputes"
> & { readonly subscription?: SubscriptionRecord | null };

/** The numbers of products that a call made, changed and left as they were. */
export interface ProductCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
}

/** A change that a step of the storage made, as the step describes it. */
export type AuditedChange =
  | {
      readonly kind: "record";
      readonly type: AuditedRecordType;
      readonly before: AuditedRecord | null;
      readonly after: AuditedRecord | null;
    }
  /** `before` holds the products that already existed. */
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
  /** The sum of what several steps of a call did. It takes the place of the first step's entry. */
  | {
      readonly kind: "counts";
      readonly store_id: string;
      readonly counts: ProductCounts;
    }
  /** An action that changes no field of a record. */
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
  /** Gives the entry of a change. It is null when every recorded field stays as it was. */
  entryOf(change: AuditedChange): AuditRecord | null;
}

/**
 * A step may name who acts. It then stores the author's entry of what it has changed in
 * its own transaction: there is no change without its entry, and no entry without its
 * change. An entry whose id is already stored is not stored again, but for the counts of
 * a call, which take the place of the first.
 */
export interface Signed {
  readonly author?: AuditAuthor;
}

/** The result of a step, and what it tells the audit log. Null is nothing. */
export interface Written<Result> {
  readonly result: Result;
  readonly change: AuditedChange | null;
}
