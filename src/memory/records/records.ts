import { recordChanges } from "../../rules/audit/audit-changes.ts";
import type { FoundRecord } from "../../rules/owner/record-kinds.ts";
import { isShownInCatalog, type RecordKind } from "../../rules/owner/record-kinds.ts";
import type { RecordDecision, RecordStore, RecordSubject } from "../../storage/record-store.ts";
import { written } from "../access/written.ts";
import { bumpCatalogVersion } from "../catalog/catalog-rows.ts";
import type { MemoryState } from "../state.ts";
import { accessRows } from "./access-rows.ts";
import { catalogRows } from "./catalog-rows.ts";
import { poolRows } from "./pool-rows.ts";
import { stepProducts } from "./products.ts";
import type { RecordRows } from "./record-rows.ts";
import { saleRows } from "./sale-rows.ts";

type RowsByKind = { readonly [Kind in RecordKind]: RecordRows<Kind> };

/** Makes the steps of the owner's records: no `await` parts what is read from what is written. */
export function memoryRecords(state: MemoryState): RecordStore {
  const rowsByKind: RowsByKind = {
    ...accessRows(state),
    ...catalogRows(state),
    ...saleRows(state),
    key_pool: poolRows(state),
  };

  return {
    async step(subject, decide) {
      const rows: RecordRows<typeof subject.on> = rowsByKind[subject.on];
      return stepRecord(state, rows, subject, decide);
    },
    stepProducts: async (subject, decide) => stepProducts(state, subject, decide),
  };
}

function stepRecord<Kind extends RecordKind, Result>(
  state: MemoryState,
  rows: RecordRows<Kind>,
  subject: RecordSubject<Kind>,
  decide: (found: FoundRecord<Kind>) => RecordDecision<Kind, Result>,
): Result {
  const found = rows.load(subject);
  const { result, after } = decide(found);
  if (after === undefined) return result;

  const { record: before } = found;
  if (after !== null) rows.put(after, before);
  else if (before !== null) rows.remove?.(before);

  if (isShownInCatalog(subject.on)) bumpCatalogVersion(state, subject.store_id);
  const change = recordChanges[subject.on](before, after);
  return written(state, { result, change }, subject.author);
}
