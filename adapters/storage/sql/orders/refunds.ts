import { sql } from "kysely";
import type { Decision } from "../../../../src/rules/order-changes.ts";
import { decideDispute, decideDisputeClosed } from "../../../../src/rules/order-dispute.ts";
import { decideRefund } from "../../../../src/rules/order-refund.ts";
import type { OrderSnapshot } from "../../../../src/rules/order-snapshot.ts";
import type { RefundRecord } from "../../../../src/rules/payment-records.ts";
import type { Partition } from "../../../../src/rules/records.ts";
import type { NamedMoney } from "../../../../src/rules/refund-commands.ts";
import { decideRefundMessage, findMoney } from "../../../../src/rules/refund-message.ts";
import { decideRefundResult } from "../../../../src/rules/refund-settlement.ts";
import { readRefund } from "../../../../src/rules/stored-payments.ts";
import type { OrderStore, RefundQuery } from "../../../../src/storage/order-store.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import { listedFields } from "../schema/json-fields.ts";
import { decisionWriter } from "./changes.ts";
import { noteNotification } from "./notifications.ts";
import { orderLoader } from "./snapshot.ts";

type RefundSteps = Pick<
  OrderStore,
  | "reserveRefund"
  | "settleRefund"
  | "applyRefundMessage"
  | "openDispute"
  | "closeDispute"
  | "findRefund"
  | "listRefunds"
>;

/** Every step on money that came names this. */
interface MoneyCommand extends Partition {
  readonly order_id: string;
  readonly now: number;
}

/**
 * Makes the steps of refunds and disputes. Each step locks, decides and writes in
 * one transaction.
 */
export function sqlRefunds(engine: SqlEngine): RefundSteps {
  const loadByOrder = orderLoader(engine);
  const carryOut = decisionWriter(engine);

  const step = <Result>(
    command: MoneyCommand,
    money: NamedMoney | null,
    decide: (snapshot: OrderSnapshot, isSeen: boolean) => Decision<Result>,
  ): Promise<Result> =>
    engine.write(function* (): QueryGenerator<Result> {
      const snapshot = yield* loadByOrder(command, command.order_id, "history");
      const isSeen = yield* noteMessage(engine, command, snapshot, money);
      return yield* carryOut(command, snapshot, decide(snapshot, isSeen));
    });

  return {
    reserveRefund: (command) => step(command, null, (found) => decideRefund(found, command)),
    settleRefund: (command) => step(command, null, (found) => decideRefundResult(found, command)),
    applyRefundMessage: (command) =>
      step(command, command.money, (found, seen) => decideRefundMessage(found, command, seen)),
    openDispute: (command) =>
      step(command, command.money, (found, seen) => decideDispute(found, command, seen)),
    closeDispute: (command) =>
      step(command, command.money, (found, seen) => decideDisputeClosed(found, command, seen)),

    findRefund: (partition, id) =>
      engine.read(function* (): QueryGenerator<RefundRecord | null> {
        const row = yield* one(refundsOf(engine, partition).where("id", "=", id));
        return row ? readRefund(row.record) : null;
      }),

    listRefunds: (query) =>
      engine.read(function* (): QueryGenerator<readonly RefundRecord[]> {
        const rows = yield* many(pageOfRefunds(engine, query));
        return rows.map((row) => readRefund(row.record));
      }),
  };
}

/**
 * Notes a message, and gives true when it came before. A message whose money is
 * unknown to the order is not noted: it may be about another order, or be sent
 * again once the money is known.
 */
function* noteMessage(
  engine: SqlEngine,
  command: MoneyCommand,
  snapshot: OrderSnapshot,
  money: NamedMoney | null,
): QueryGenerator<boolean> {
  if (!money || !findMoney(snapshot, money)) return false;

  const { gateway, notification_id } = money;
  return !(yield* noteNotification(engine, gateway, { ...command, notification_id }));
}

function refundsOf({ db }: SqlEngine, partition: Partition) {
  const { store_id, livemode } = partitionColumns(partition);
  return db
    .selectFrom("refunds")
    .select("record")
    .where("store_id", "=", store_id)
    .where("livemode", "=", livemode);
}

function pageOfRefunds(engine: SqlEngine, query: RefundQuery) {
  const { order_id, state, after, limit } = query;
  const { dialect } = engine;
  const ofState = sql`${sql.raw(listedFields(dialect.name).refund_state)}`;
  let rows = refundsOf(engine, query);
  if (order_id !== undefined) rows = rows.where("order_id", "=", order_id);
  if (state !== undefined) rows = rows.where(ofState, "=", state);
  if (after !== undefined) rows = rows.where("id", "<", after);
  const place = order_id === undefined ? sql.ref("id") : dialect.withoutIndex("id");
  return rows.orderBy(place, "desc").limit(limit + 1);
}
