import type { CompiledQuery } from "kysely";
import { byCreation } from "#core/rules/payments/order-money.ts";
import type { AttemptRecord } from "#core/rules/payments/payment-records.ts";
import { readAttempt, readPayment } from "#core/rules/payments/stored-payments.ts";
import { ofPartitionParams, partitionColumns } from "../../engine/columns.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, prepareEach, type QueryGenerator } from "../../engine/queries.ts";
import { messageReader } from "../notifications.ts";
import { noMoney, type ReadMoney } from "../payments.ts";

/**
 * Asks each table by itself. Citus sends a statement that reads one table to the
 * store's shard without planning it; one that reads two costs it four times as much.
 */
export function moneyOnCitus(engine: SqlEngine): ReadMoney {
  const findPayments = paymentReader(engine);
  const findAttempts = attemptReader(engine);
  const findById = attemptReaderById(engine);
  const isNoted = messageReader(engine);

  return function* moneyOf(partition, order, { reference, message }) {
    if (order === null && reference === null) return noMoney;

    const values = { ...partitionColumns(partition), order_id: order?.id ?? "", reference };
    const rows = yield* many(findPayments(reference !== null, values));
    const found = yield* read(findAttempts(reference !== null, values));

    // Money may carry the reference although the attempt that it came for does not.
    const ids = rows
      .filter((row) => row.payment_reference === reference)
      .map((row) => row.attempt_id)
      .filter((id) => !found.some((attempt) => attempt.id === id));
    const missing = [...new Set(ids)];
    const byId = Object.fromEntries(missing.map((id, index) => [`a${index}`, id]));
    const more =
      missing.length === 0 ? [] : yield* read(findById(missing.length, { ...values, ...byId }));

    const isOfOrder = ({ order_id }: { readonly order_id: string }) => order_id === values.order_id;
    const attempts = [...found, ...more];
    return {
      attempts: attempts.filter(isOfOrder).sort(byCreation),
      payments: rows
        .filter(isOfOrder)
        .map(({ record }) => readPayment(record))
        .sort(byCreation),
      elsewhere: attempts.filter((attempt) => !isOfOrder(attempt)),
      message_seen: yield* isNoted(partition, message),
    };
  };
}

interface Stored {
  record: string;
}

function* read(query: CompiledQuery<Stored>): QueryGenerator<readonly AttemptRecord[]> {
  const rows = yield* many(query);
  return rows.map(({ record }) => readAttempt(record));
}

const paymentReader = ({ db }: SqlEngine) =>
  prepareEach(
    (isNamed: boolean) => String(isNamed),
    (isNamed, param) =>
      db
        .selectFrom("payments")
        .select(["order_id", "attempt_id", "payment_reference", "record"])
        .where(ofPartitionParams(param))
        .where((eb) => {
          const isOfOrder = eb("order_id", "=", param<string>("order_id"));
          if (!isNamed) return isOfOrder;
          return eb.or([isOfOrder, eb("payment_reference", "=", param<string>("reference"))]);
        }),
  );

/** Reads the attempts of the order together with those that carry the reference. */
const attemptReader = ({ db }: SqlEngine) =>
  prepareEach(
    (isNamed: boolean) => String(isNamed),
    (isNamed, param) =>
      db
        .selectFrom("payment_attempts")
        .select("record")
        .where(ofPartitionParams(param))
        .where((eb) => {
          const isOfOrder = eb("order_id", "=", param<string>("order_id"));
          if (!isNamed) return isOfOrder;
          return eb.or([
            isOfOrder,
            eb("reference", "=", param<string>("reference")),
            eb("payment_reference", "=", param<string>("reference")),
          ]);
        }),
  );

const attemptReaderById = ({ db }: SqlEngine) =>
  prepareEach(
    (count: number) => count,
    (count, param) =>
      db
        .selectFrom("payment_attempts")
        .select("record")
        .where(ofPartitionParams(param))
        .where(
          "id",
          "in",
          Array.from({ length: count }, (_, index) => param<string>(`a${index}`)),
        ),
  );
