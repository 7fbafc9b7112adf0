import { customerErased } from "#core/rules/audit/audit-changes.ts";
import type { Written } from "#core/rules/audit/audit-records.ts";
import type { Erasure } from "#core/rules/owner/erasure.ts";
import type { ErasedChunk } from "#core/storage/privacy-store.ts";
import { fromJson } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import type { QueryGenerator } from "../engine/queries.ts";
import { putRevocation } from "../orders/revocations.ts";
import { deleteCouponUses } from "./coupon-uses.ts";
import { eraseEvents } from "./events.ts";
import { noteLeft } from "./left.ts";
import { eraseOrders, eraseSubscriptions } from "./orders.ts";
import type { ChunkPlace, EraseRows } from "./rows.ts";
import { eraseOpenSessions, eraseReplies } from "./sessions.ts";

/**
 * Erases each kind of rows, in this order: a reply and the event of a session do
 * not name the customer, and are found by their blank order.
 */
const kinds = {
  orders: eraseOrders,
  subscriptions: eraseSubscriptions,
  sessions: eraseOpenSessions,
  replies: eraseReplies,
  events: eraseEvents,
} satisfies Readonly<Record<string, EraseRows>>;

interface Place extends ChunkPlace {
  readonly kind: keyof typeof kinds;
}

/** Lists every kind in both modes. */
const places: readonly Place[] = Object.keys(kinds).flatMap((kind) =>
  ([1, 0] as const).map((livemode) => ({ kind: kind as Place["kind"], livemode, after: "" })),
);

/** Erases one chunk, which is one short transaction. Its position is the place as JSON. */
export function* eraseChunk(
  engine: SqlEngine,
  erasure: Erasure,
  position: string | null,
): QueryGenerator<Written<ErasedChunk>> {
  if (position === null) {
    yield* revokeTokens(engine, erasure);
    for (const { livemode, ...holder } of erasure.archived ?? []) {
      const { store_id } = erasure;
      const mode = livemode ? 1 : 0;
      yield* deleteCouponUses(engine, { store_id, livemode: mode, holders: [holder] });
    }
  }
  const change = position === null ? customerErased(erasure) : null;

  const place = position === null ? places[0] : fromJson<Place>(position);
  if (!place) return { result: { found: false, next: null }, change };

  const { found, after } = yield* kinds[place.kind](engine, erasure, place);
  const following = after === null ? placeBehind(place) : { ...place, after };
  const next = following && JSON.stringify(following);
  yield* noteLeft(engine, erasure, next);
  return { result: { found, next }, change };
}

function placeBehind({ kind, livemode }: Place): Place | null {
  const index = places.findIndex((place) => place.kind === kind && place.livemode === livemode);
  return places[index + 1] ?? null;
}

function* revokeTokens(
  engine: SqlEngine,
  { store_id, customer_keys, now }: Erasure,
): QueryGenerator<void> {
  const revocation = { not_before: now, erased: true };
  for (const livemode of [true, false])
    yield* putRevocation(engine, { store_id, livemode }, customer_keys, revocation);
}
