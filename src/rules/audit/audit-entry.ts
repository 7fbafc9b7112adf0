import type { ProductRecord } from "../records.ts";
import {
  type Difference,
  differenceOf,
  fitted,
  isEmpty,
  joinDifferences,
} from "./audit-difference.ts";
import { type AuditedFields, orderStepFields, recordFields } from "./audit-fields.ts";
import type {
  AuditAuthor,
  AuditedChange,
  AuditRecord,
  AuditSigner,
  AuditSubject,
  AuditSubjectType,
  ProductCounts,
} from "./audit-records.ts";

/** One call of an actor, before it has changed anything. */
export interface AuditedCall extends AuditSigner {
  /** The entry of the call gets this id. */
  readonly id: string;
  readonly action: string;
  /**
   * The entry is about this type of record when a step writes several. With
   * `store`, many products are one entry that counts them.
   */
  readonly about: AuditSubjectType;
  readonly now: number;
}

type Change<Kind extends AuditedChange["kind"]> = Extract<AuditedChange, { readonly kind: Kind }>;

/** The fields of an entry that come from the change. The call gives the other fields. */
type Told = Pick<AuditRecord, "store_id" | "livemode" | "subject" | "before" | "after"> & {
  readonly withheld: readonly string[];
};

export const auditAuthor = (call: AuditedCall): AuditAuthor => ({
  entryOf(change) {
    const told = tell(call, change);
    if (told === null) return null;

    const { before, after, cut } = fitted({ before: told.before ?? {}, after: told.after ?? {} });
    const { id, action, now } = call;
    return {
      ...told,
      id,
      ...signerOf(call),
      action,
      before: told.before && before,
      after: told.after && after,
      cut,
      created_at: now,
    };
  },
});

/** Gives the fields of a signer. What is left out stays left out. */
export function signerOf({ actor, via, made_by = null }: AuditSigner): AuditSigner {
  if (via === undefined) return { actor };
  return via === "link" ? { actor, via, made_by } : { actor, via };
}

function tell(call: AuditedCall, change: AuditedChange): Told | null {
  switch (change.kind) {
    case "record":
      return tellRecord(change);
    case "products":
      return call.about === "store" ? countProducts(change) : tellProduct(change);
    case "counts":
      return tellCounts(change.store_id, change.counts);
    case "order_step":
      return tellOrderStep(call, change);
    case "action": {
      const { kind, ...told } = change;
      return { ...told, withheld: [] };
    }
  }
}

function tellRecord({ type, before, after }: Change<"record">): Told | null {
  const record = after ?? before;
  const difference = differenceOf(before, after, recordFields[type]);
  if (record === null || isEmpty(difference)) return null;

  const { store_id, id, livemode = null } = record;
  return {
    store_id,
    livemode,
    subject: { type, id },
    before: before && difference.before,
    after: after && difference.after,
    withheld: difference.withheld,
  };
}

function tellProduct({ before, after }: Change<"products">): Told | null {
  const [product] = after;
  if (!product) return null;

  const known = before.find(({ id }) => id === product.id) ?? null;
  return tellRecord({ kind: "record", type: "product", before: known, after: product });
}

/** Counts the products. It gives null when every product stays as it was. */
function countProducts({ store_id, before, after }: Change<"products">): Told | null {
  const known = new Map(before.map((product) => [product.id, product]));
  const isChanged = (product: ProductRecord): boolean => {
    const old = known.get(product.id);
    return old !== undefined && !isEmpty(differenceOf(old, product, recordFields.product));
  };

  const created = after.filter(({ id }) => !known.has(id)).length;
  const updated = after.filter(isChanged).length;
  return tellCounts(store_id, {
    created,
    updated,
    unchanged: after.length - created - updated,
  });
}

function tellCounts(store_id: string, counts: ProductCounts): Told | null {
  if (counts.created + counts.updated === 0) return null;

  const subject = { type: "store", id: store_id } as const;
  return { store_id, livemode: null, subject, before: null, after: { ...counts }, withheld: [] };
}

function tellOrderStep({ about }: AuditedCall, change: Change<"order_step">): Told | null {
  const { store_id, livemode } = change.partition;
  const difference = joinDifferences(differencesOf(change));
  const subject = subjectOf(about, change);
  if (subject === null || isEmpty(difference)) return null;
  return { store_id, livemode, subject, ...difference };
}

function differencesOf({ before, changes, order }: Change<"order_step">): readonly Difference[] {
  const rows = orderStepFields;
  return [
    one("order", ofSameId(before.order, order), order, rows.order),
    one(
      "checkout_session",
      ofSameId(before.session, changes.session),
      changes.session,
      rows.checkout_session,
    ),
    one(
      "subscription",
      ofSameId(before.subscription ?? null, changes.subscription),
      changes.subscription,
      rows.subscription,
    ),
    ...each("attempts", before.attempts, changes.attempts, rows.attempt),
    ...each("payments", before.payments, changes.payments, rows.payment),
    ...each("refunds", before.refunds, changes.refunds, rows.refund),
    ...each("disputes", before.disputes, changes.disputes, rows.dispute),
  ];
}

type Identified = { readonly id: string };

/** Gives the record that a step replaces, and null for another one that the step has read. */
const ofSameId = <Row extends Identified>(known: Row | null, written: Row | null): Row | null =>
  known !== null && known.id === written?.id ? known : null;

const one = (
  name: string,
  before: object | null,
  after: object | null,
  fields: AuditedFields,
): Difference => differenceOf(before, after, fields, `${name}.`);

const each = (
  name: string,
  before: readonly Identified[],
  after: readonly Identified[],
  fields: AuditedFields,
): readonly Difference[] =>
  after.map((row) => {
    const known = before.find(({ id }) => id === row.id) ?? null;
    return differenceOf(known, row, fields, `${name}[${row.id}].`);
  });

/**
 * Gives the record that the call was about. If there is none, it gives the order,
 * and then any record that the step wrote.
 */
function subjectOf(
  about: AuditSubjectType,
  { before, changes, order }: Change<"order_step">,
): AuditSubject | null {
  const written: readonly (readonly [AuditSubjectType, Identified | null | undefined])[] = [
    ["order", order ?? before.order],
    ["checkout_session", changes.session ?? before.session],
    ["subscription", changes.subscription ?? before.subscription],
    ["payment", changes.payments[0]],
  ];
  const named = written.flatMap(([type, row]) => (row ? [{ type, id: row.id }] : []));
  return named.find(({ type }) => type === about) ?? named[0] ?? null;
}
