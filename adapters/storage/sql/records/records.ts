import { recordChanges } from "#core/rules/audit/audit-changes.ts";
import type { Written } from "#core/rules/audit/audit-records.ts";
import type { FoundRecord } from "#core/rules/owner/record-kinds.ts";
import {
  isShownInCatalog,
  type RecordKind,
  type RecordsByKind,
} from "#core/rules/owner/record-kinds.ts";
import type { RecordDecision, RecordStore, RecordSubject } from "#core/storage/record-store.ts";
import { bumpCatalogVersion } from "../catalog/catalog-version.ts";
import { auditedWrite } from "../engine/audited-write.ts";
import type { SqlEngine } from "../engine/engine.ts";
import type { QueryGenerator } from "../engine/queries.ts";
import { alertRows } from "./alert-rows.ts";
import { categoryRows, couponRows, paymentMethodRows, productRows } from "./catalog-rows.ts";
import { deliveryRows } from "./delivery-rows.ts";
import { endpointRows } from "./endpoint-rows.ts";
import { keyRows } from "./key-rows.ts";
import { noteRows } from "./note-rows.ts";
import { personRows } from "./person-rows.ts";
import { poolRows } from "./pool-rows.ts";
import { productsStep } from "./products.ts";
import type { RecordRows } from "./record-rows.ts";
import { storeRows } from "./store-rows.ts";

type RowsByKind = { readonly [Kind in RecordKind]: RecordRows<Kind> };

/** Makes the steps of the owner's records. It is loaded at the first call. */
export function sqlRecords(engine: SqlEngine): RecordStore {
  const rowsByKind: RowsByKind = {
    store: storeRows(engine),
    api_key: keyRows(engine),
    alert: alertRows(engine),
    category: categoryRows(engine),
    payment_method: paymentMethodRows(engine),
    coupon: couponRows(engine),
    product: productRows(engine),
    endpoint: endpointRows(engine),
    order_note: noteRows(engine),
    delivery: deliveryRows(engine),
    key_pool: poolRows(engine),
    person: personRows(engine),
  };
  const stepProducts = productsStep(engine);

  return {
    step: (subject, decide) =>
      auditedWrite(engine, subject, () => {
        const rows: RecordRows<typeof subject.on> = rowsByKind[subject.on];
        return stepRecord(engine, rows, subject, decide);
      }),
    stepProducts: (subject, decide) =>
      auditedWrite(engine, subject, () => stepProducts(subject, decide)),
  };
}

const mostTries = 5;

function* stepRecord<Kind extends RecordKind, Result>(
  engine: SqlEngine,
  rows: RecordRows<Kind>,
  subject: RecordSubject<Kind>,
  decide: Decide<Kind, Result>,
): QueryGenerator<Written<Result>> {
  for (let tries = 0; tries < mostTries; tries++) {
    const found = yield* rows.load(subject);
    const { result, after } = decide(found);
    if (after === undefined) return { result, change: null };

    const { record: before } = found;
    if (!(yield* write(rows, before, after))) continue;

    if (isShownInCatalog(subject.on)) yield* bumpCatalogVersion(engine.db, subject.store_id);
    return { result, change: recordChanges[subject.on](before, after) };
  }
  throw new Error(`The ${subject.on} ${subject.id} is written by others again and again.`);
}

type Decide<Kind extends RecordKind, Result> = (
  found: FoundRecord<Kind>,
) => RecordDecision<Kind, Result>;

function* write<Kind extends RecordKind>(
  rows: RecordRows<Kind>,
  before: RecordsByKind[Kind] | null,
  after: RecordsByKind[Kind] | null,
): QueryGenerator<boolean> {
  if (after !== null) return yield* rows.put(after, before);
  if (before !== null && rows.remove) yield* rows.remove(before);
  return true;
}
