import { sql } from "kysely";
import { fail } from "#core/contract/errors.ts";
import { carriesReference, chooseAttempt } from "#core/rules/payments/notified-attempt.ts";
import type { AttemptRecord, SubscriptionRecord } from "#core/rules/payments/payment-records.ts";
import { readAttempt } from "#core/rules/payments/stored-payments.ts";
import type { AttemptNames, OrdersOfAllStores, WorkClaim } from "#core/storage/order-store.ts";
import { fromJson, toBool } from "../engine/columns.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { many, prepareRaw } from "../engine/queries.ts";
import { claimsOf, endingSubscriptions, namedAttempts, type Work } from "../orders/maintenance.ts";
import type { Lanes } from "./lanes/lanes.ts";
import { isOfShard } from "./lanes/of-shard.ts";

export function citusMaintenance(engine: SqlEngine, lanes: Lanes): OrdersOfAllStores {
  const findSubscriptions = lanes.reader(
    (db) => (work: WorkClaim) => endingSubscriptions(db, work).compile(),
  );

  const claims = claimsOf(
    (rows) => claimStep(engine, lanes, rows),
    async (work) => {
      const { rows } = await findSubscriptions(work);
      return rows
        .toSorted((a, b) => (a.ends_at ?? 0) - (b.ends_at ?? 0))
        .slice(0, work.limit)
        .map(({ record }) => fromJson<SubscriptionRecord>(record));
    },
  );

  return {
    claimWork: (kind, work) => claims[kind](work),
    findAttempts: findAttemptsStep(lanes),
  };
}

/**
 * Finds the attempts that a gateway's message is about. While a node is lost, an
 * attempt from another node is used only if nothing on the lost node could take its
 * place. This is true when the provider's own reference found it and our id names no
 * other, or when our id found it and the message names nothing else.
 */
function findAttemptsStep(lanes: Lanes): OrdersOfAllStores["findAttempts"] {
  const find = lanes.reader((db) => (names: AttemptNames) => namedAttempts(db, names).compile());

  return async (names) => {
    const { rows, isComplete } = await find(names);
    const attempts = rows.map(({ record }) => readAttempt(record)).sort(newestFirst);
    if (isComplete) return attempts;

    const { attempt } = chooseAttempt(attempts, names);
    const isSure = attempt && isSureOf(attempt, names);
    if (!isSure) fail("service_unavailable", { retry_after: 1 });
    return attempts;
  };
}

function isSureOf(attempt: AttemptRecord, names: AttemptNames): boolean {
  if (names.payment_id === null) return true;
  if (attempt.id !== names.payment_id) return false;
  return names.references.length === 0 || carriesReference(attempt, names);
}

const newestFirst = (a: AttemptRecord, b: AttemptRecord): number =>
  b.created_at - a.created_at || (a.id < b.id ? 1 : -1);

/** A claim looks again at most this often when other processes were faster. */
const maxLooks = 4;

interface DueRow {
  readonly store_id: string;
  readonly livemode: 0 | 1;
  readonly id: string;
  readonly due: number;
}

interface Taken {
  readonly id: string;
  readonly record: string;
}

/**
 * Leases rows that are due, the oldest first. Citus cannot lock rows of several
 * shards in one statement: a read of all shards finds the rows, and an update with
 * a condition leases those of each shard.
 */
function claimStep<R>(engine: SqlEngine, lanes: Lanes, { table, column, read }: Work<R>) {
  const findDue = lanes.reader((db) => dueQuery(db, { table, column }));
  const take = takeStatement(engine, { table, column });

  return async (claim: WorkClaim): Promise<readonly R[]> => {
    const { now, until, test_until = until, of, limit } = claim;
    const claimed: R[] = [];
    for (let look = 0; look < maxLooks && claimed.length < limit; look += 1) {
      const left = limit - claimed.length;
      const { rows } = await findDue({ now, limit: left, ...ofValues(of) });
      const due = rows.toSorted((a, b) => a.due - b.due).slice(0, left);
      const { done } = await lanes.writeEach(due, ({ items, stores }) => {
        const values = { stores, keys: JSON.stringify(items), now, until, test_until };
        return engine.write(() => many(take(values)));
      });

      const records = new Map(done.flat().map(({ id, record }) => [id, record]));
      for (const { id } of due) {
        const record = records.get(id);
        if (record !== undefined) claimed.push(read(record));
      }
      if (records.size === due.length) break;
    }
    return claimed;
  };
}

type WorkRows = Pick<Work<unknown>, "table" | "column">;

function dueQuery(db: Db, { table, column }: WorkRows) {
  const due_at = sql.ref(column);
  return prepareRaw<DueRow>(
    db,
    (param) => sql<DueRow>`
    select store_id, livemode, id, ${due_at} as due from ${sql.table(table)}
    where ${due_at} <= ${param("now")}
      and (cast(${param("of_store")} as text) is null
        or (store_id = ${param("of_store")}
          and livemode = cast(${param("of_livemode")} as integer)))
    order by ${due_at} limit ${param("limit")}`,
  );
}

/** The store and mode of a claim, or null for all of them. */
const ofValues = (of: WorkClaim["of"]) => ({
  of_store: of?.store_id ?? null,
  of_livemode: of ? toBool(of.livemode) : null,
});

/** Leases the rows that no other process has leased meanwhile. */
const takeStatement = ({ db, dialect }: SqlEngine, { table, column }: WorkRows) =>
  prepareRaw<Taken>(db, (param) => {
    const keys = { store_id: "text", livemode: "bigint", id: "text" } as const;
    return sql<Taken>`
    update ${sql.table(table)} as t set ${sql.ref(column)} =
      case when t.livemode = 1 then cast(${param("until")} as bigint)
        else cast(${param("test_until")} as bigint) end
    from ${dialect.jsonTable("k", param("keys"), keys)}
    where t.store_id ${isOfShard(param)} and t.store_id = k.store_id
      and t.livemode = k.livemode and t.id = k.id
      and t.${sql.ref(column)} <= ${param("now")}
    returning t.id, t.record`;
  });
