import { sql } from "kysely";
import type {
  ClosingResult,
  CompletionResult,
  DisputeResult,
  FailingResult,
  PaymentApplied,
  RefundReserved,
  RefundSettled,
  SubmissionResult,
} from "../../../../src/rules/order-commands.ts";
import {
  decideClosing,
  decideCompletion,
  decideFailing,
  decidePayment,
  decideSubmission,
  type PaymentOutcome,
} from "../../../../src/rules/order-machine.ts";
import { type Decision, nothing, type Snapshot } from "../../../../src/rules/order-parts.ts";
import type { AttemptRecord } from "../../../../src/rules/payment-records.ts";
import type { OrderRecord, Partition, SessionRecord } from "../../../../src/rules/records.ts";
import {
  decideDispute,
  decideDisputeClosed,
  decideRefund,
  decideRefundResult,
} from "../../../../src/rules/refund-machine.ts";
import type {
  CheckoutState,
  OrderList,
  OrderQuery,
  OrderStore,
} from "../../../../src/storage/order-store.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { fromJson, own } from "../engine/json.ts";
import { many, one, prepare, type Step } from "../engine/step.ts";
import { sqlMaintenance } from "./maintenance.ts";
import { orderSteps, type Subject } from "./steps.ts";
import { sqlSubscriptions } from "./subscriptions.ts";

export function sqlOrders(engine: SqlEngine): OrderStore {
  const { db } = engine;
  const step = orderSteps(engine);
  const attemptById = prepare((place) =>
    db
      .selectFrom("payment_attempts")
      .select(["session_id", "gateway"])
      .where("store_id", "=", place<string>("store_id"))
      .where("livemode", "=", place<0 | 1>("livemode"))
      .where("id", "=", place<string>("id")),
  );
  const checkoutById = prepare((place) =>
    db
      .selectFrom("checkout_sessions as s")
      .leftJoin("orders as o", (join) =>
        join
          .onRef("o.store_id", "=", "s.store_id")
          .onRef("o.livemode", "=", "s.livemode")
          .onRef("o.session_id", "=", "s.id"),
      )
      .leftJoin("payment_attempts as a", (join) =>
        join
          .onRef("a.store_id", "=", "o.store_id")
          .onRef("a.livemode", "=", "o.livemode")
          .onRef("a.order_id", "=", "o.id"),
      )
      .select(["s.record as session", "o.record as order", "a.record as attempt"])
      .where("s.store_id", "=", place<string>("store_id"))
      .where("s.livemode", "=", place<0 | 1>("livemode"))
      .where("s.id", "=", place<string>("id"))
      .orderBy("a.created_at", "desc")
      .orderBy("a.id", "desc")
      .limit(sql.lit(1)),
  );
  const bySession = ({
    store_id,
    livemode,
    session_id,
  }: Partition & { readonly session_id: string | null }): Subject => ({
    store_id,
    livemode,
    session_id,
    needs: "goods",
  });
  const byOrder = (
    { store_id, livemode, order_id }: Partition & { readonly order_id: string },
    needs: Subject["needs"],
  ): Subject => ({
    store_id,
    livemode,
    order_id,
    needs,
  });

  return {
    findOrder: (partition, id) =>
      engine.read(function* (): Step<OrderRecord | null> {
        const { store_id, livemode } = own(partition);
        const row = yield* one(
          db
            .selectFrom("orders")
            .select("record")
            .where("store_id", "=", store_id)
            .where("livemode", "=", livemode)
            .where("id", "=", id),
        );
        return row ? fromJson<OrderRecord>(row.record) : null;
      }),
    listOrders: (query) =>
      engine.read(function* (): Step<OrderList> {
        return listed(query, yield* many(listQuery(engine, query, null)));
      }),
    listCustomerOrders: (query) =>
      engine.read(function* (): Step<OrderList | { outcome: "token_revoked" }> {
        const rows = yield* many(listQuery(engine, query, query.customer_id));
        const since = rows.find(({ kind }) => kind === "not_before");
        return since && query.token_issued_at < since.number
          ? { outcome: "token_revoked" }
          : listed(query, rows);
      }),
    revokeCustomerTokens: (partition, customer_id, not_before) =>
      engine.write(function* (): Step<void> {
        yield* many(
          db
            .insertInto("customer_tokens")
            .values({ ...own(partition), customer_id, not_before })
            .onConflict((conflict) =>
              conflict
                .columns(["store_id", "livemode", "customer_id"])
                .doUpdateSet({ not_before })
                .where("customer_tokens.not_before", "<", not_before),
            ),
        );
      }),
    submitSession: async (command) =>
      (await step(
        { ...bySession(command), buyer: command.buyer, new_customer: command.ids.customer },
        (snapshot) => decideSubmission(snapshot, command),
      )) as SubmissionResult,
    async applyPayment(command) {
      const { store_id, livemode } = own(command);
      const { notification_id } = command;
      // An attempt never changes its session, so this may be read before the locks, whose order begins with the session.
      const known = await engine.read(() =>
        one(attemptById({ store_id, livemode, id: command.attempt_id })),
      );
      if (!known) return { outcome: "unknown_attempt" };
      const unseen = function* (snapshot: Snapshot): Step<Decision<PaymentOutcome> | null> {
        const row = yield* one(
          db
            .insertInto("gateway_notifications")
            .values({
              store_id,
              livemode,
              gateway: known.gateway,
              notification_id: notification_id ?? "",
              created_at: command.now,
            })
            .onConflict((conflict) => conflict.doNothing())
            .returning("notification_id"),
        );
        const seen = snapshot.attempts.find(({ id }) => id === command.attempt_id) ?? null;
        return row ? null : nothing("unchanged", snapshot, seen);
      };
      return (await step(
        bySession({
          store_id: command.store_id,
          livemode: command.livemode,
          session_id: known.session_id,
        }),
        (snapshot) => decidePayment(snapshot, command),
        notification_id === undefined ? undefined : unseen,
      )) as PaymentApplied;
    },
    completeSession: async (command) =>
      (await step(
        { ...bySession(command), buyer: command.buyer, new_customer: command.ids.customer },
        (snapshot) => decideCompletion(snapshot, command),
      )) as CompletionResult,
    closeSession: async (command) =>
      (await step(bySession(command), (snapshot) =>
        decideClosing(snapshot, command),
      )) as ClosingResult,
    failOrder: async (command) =>
      (await step(byOrder(command, "goods"), (snapshot) =>
        decideFailing(snapshot, command),
      )) as FailingResult,
    reserveRefund: async (command) =>
      (await step(byOrder(command, "history"), (snapshot) =>
        decideRefund(snapshot, command),
      )) as RefundReserved,
    settleRefund: async (command) =>
      (await step(byOrder(command, "history"), (snapshot) =>
        decideRefundResult(snapshot, command),
      )) as RefundSettled,
    openDispute: async (command) =>
      (await step(byOrder(command, "history"), (snapshot) =>
        decideDispute(snapshot, command),
      )) as DisputeResult,
    closeDispute: async (command) =>
      (await step(byOrder(command, "history"), (snapshot) =>
        decideDisputeClosed(snapshot, command),
      )) as DisputeResult,
    ...sqlSubscriptions(engine),
    ...sqlMaintenance(engine),
    findCheckout: (partition, session_id) =>
      engine.read(function* (): Step<CheckoutState | null> {
        const row = yield* one(checkoutById({ ...own(partition), id: session_id }));
        if (!row) return null;
        const { session, order, attempt } = row;
        return {
          session: fromJson<SessionRecord>(session),
          order: order === null ? null : fromJson<OrderRecord>(order),
          attempt: attempt === null ? null : fromJson<AttemptRecord>(attempt),
        };
      }),
  };
}

interface ListedRow {
  readonly kind: "order" | "cursor" | "not_before";
  /** An order's, or epoch milliseconds. */
  readonly number: number;
  readonly record: string | null;
}

/** Orders, the cursor's row and the buyer's not-before in one statement: a token revoked meanwhile cannot read between two. */
function listQuery({ db }: SqlEngine, query: OrderQuery, customer_id: string | null) {
  const { store_id, livemode } = own(query);
  const none = sql<string | null>`cast(null as text)`.as("record");
  const all = db
    .selectFrom("orders")
    .where("store_id", "=", store_id)
    .where("livemode", "=", livemode);
  const mine = customer_id === null ? all : all.where("customer_id", "=", customer_id);
  const cursor = query.after === undefined ? null : mine.where("id", "=", query.after);
  let page = mine
    .select(["number", "record"])
    .orderBy("number", "desc")
    .limit(query.limit + 1);
  if (query.status !== undefined) page = page.where("status", "=", query.status);
  if (cursor) page = page.where("number", "<", cursor.select("number"));
  let rows = db
    .selectFrom(page.as("page"))
    .select([
      sql.lit<ListedRow["kind"]>("order").as("kind"),
      "number",
      sql<string | null>`record`.as("record"),
    ]);
  if (cursor)
    rows = rows.unionAll(
      cursor.select([sql.lit<ListedRow["kind"]>("cursor").as("kind"), "number", none]),
    );
  if (customer_id !== null) {
    rows = rows.unionAll(
      db
        .selectFrom("customer_tokens")
        .select([sql.lit<ListedRow["kind"]>("not_before").as("kind"), "not_before as number", none])
        .where("store_id", "=", store_id)
        .where("livemode", "=", livemode)
        .where("customer_id", "=", customer_id),
    );
  }
  return rows;
}

function listed(query: OrderQuery, rows: readonly ListedRow[]): OrderList {
  if (query.after !== undefined && !rows.some(({ kind }) => kind === "cursor"))
    return { outcome: "unknown_cursor" };
  // A union promises no order of its own.
  const orders = rows.flatMap(({ kind, record }) =>
    kind === "order" && record !== null ? [fromJson<OrderRecord>(record)] : [],
  );
  return { outcome: "listed", orders: orders.sort((a, b) => b.number - a.number) };
}
