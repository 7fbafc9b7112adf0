import type { LeftErasure, PrivacyStore } from "#core/storage/privacy-store.ts";
import { auditedWrite } from "../engine/audited-write.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";
import { readRevocations, revocationsOf } from "../orders/revocations.ts";
import { eraseChunk } from "./customer.ts";
import { findLeft } from "./left.ts";
import { wipeTestChunk } from "./wipe-test-data.ts";

type ReadLeft = (before: number) => Promise<LeftErasure | null>;

export const sqlPrivacy = (
  engine: SqlEngine,
  readLeft: ReadLeft = (before) => engine.read(() => findLeft(engine, before)),
): PrivacyStore => ({
  eraseChunk(erasure, position) {
    engine.erasedBytes?.note();
    return auditedWrite(engine, erasure, () => eraseChunk(engine, erasure, position));
  },
  finishErasures: async (before) => ({
    is_removed: (await engine.erasedBytes?.remove()) ?? true,
    left: await readLeft(before),
  }),
  isErased: (partition, customer_keys) =>
    engine.read(function* (): QueryGenerator<boolean> {
      const rows = yield* many(revocationsOf(engine, partition, customer_keys));
      return readRevocations(rows)?.erased ?? false;
    }),
  wipeTestChunk: (store_id, position, author) =>
    auditedWrite(engine, { author }, () => wipeTestChunk(engine, store_id, position)),
});
