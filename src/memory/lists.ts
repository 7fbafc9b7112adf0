import {
  disputeStatus,
  orderOfEvent,
  storedSessions,
  usesCoupon,
} from "../rules/owner/list-records.ts";
import { movedRows, placeOfLoss } from "../rules/owner/moved-money.ts";
import { isEnding } from "../rules/subscriptions/subscription-record.ts";
import type { CreatedRange, ListingStore } from "../storage/reads/listing-store.ts";
import { modes } from "./catalog/catalog-rows.ts";
import { isIn, type MemoryState, rowKey } from "./state.ts";
import { findEvent } from "./webhooks/events.ts";

export const memoryLists = (state: MemoryState): ListingStore => ({
  ...memoryMoney(state),
  ...memoryCheckouts(state),
  ...memoryEventLists(state),
});

type Money = Pick<ListingStore, "listAttempts" | "listDisputes" | "listDue">;

function memoryMoney(state: MemoryState): Money {
  const { attempts, payments, disputes, subscriptions, orders } = state.orders;

  return {
    async listAttempts(query) {
      const { state: wanted, order_id, after, limit } = query;
      const matching = [...attempts.values()].filter(
        (attempt) =>
          isIn(query, attempt) &&
          (wanted === undefined || attempt.state === wanted) &&
          (order_id === undefined || attempt.order_id === order_id) &&
          isCreatedIn(query, attempt.created_at) &&
          (after === undefined || newestFirst(after, attempt) < 0),
      );
      const money = [...payments.values()];
      return matching
        .sort(newestFirst)
        .slice(0, limit)
        .map((attempt) => {
          const own = money.filter(
            (payment) => isIn(attempt, payment) && payment.attempt_id === attempt.id,
          );
          return { attempt, money: own.sort((a, b) => newestFirst(b, a)) };
        });
    },

    async listDisputes({ status, order_id, after, limit, lost, ...partition }) {
      const rows = [...disputes.values()].flatMap((dispute) => {
        const order = orders.get(rowKey(dispute, dispute.order_id));
        return order && isIn(partition, dispute) ? [{ dispute, order }] : [];
      });
      if (lost) {
        const last = lost.after;
        const place = { ...lost, after: last && ([last.at, last.order_id, last.id] as const) };
        return movedRows(rows, place, ({ dispute }) => placeOfLoss(dispute)).slice(0, limit);
      }

      return rows
        .filter(
          ({ dispute }) =>
            (status === undefined || disputeStatus(dispute) === status) &&
            (order_id === undefined || dispute.order_id === order_id) &&
            (after === undefined || newestDispute(after, dispute) < 0),
        )
        .sort((a, b) => newestDispute(a.dispute, b.dispute))
        .slice(0, limit);
    },

    async listDue({ before, after, limit, ...partition }) {
      const due = [...subscriptions.values()].filter(
        (subscription) =>
          isIn(partition, subscription) &&
          !isEnding(subscription) &&
          subscription.current_period_end < before &&
          (after === undefined || soonestFirst(after, subscription) < 0),
      );
      return due.sort(soonestFirst).slice(0, limit);
    },
  };
}

type Checkouts = Pick<
  ListingStore,
  "listSessions" | "listCouponUses" | "countCouponUses" | "countStock"
>;

function memoryCheckouts(state: MemoryState): Checkouts {
  const { orders, by_session } = state.orders;

  return {
    async listSessions(query) {
      const { after, limit, store_id, livemode, ...filter } = query;
      const { stored, expires_after, expired_by, ...range } = storedSessions(filter);
      const matching = [...state.checkout.sessions.values()].filter(
        (session) =>
          isIn({ store_id, livemode }, session) &&
          stored.includes(session.status) &&
          (expires_after === null || session.expires_at > expires_after) &&
          (expired_by === null || session.expires_at <= expired_by) &&
          isCreatedIn(range, session.created_at) &&
          (after === undefined || session.id < after),
      );
      return matching
        .sort((a, b) => byText(b.id, a.id))
        .slice(0, limit)
        .map((session) => {
          const order_id = by_session.get(rowKey(session, session.id));
          const order = order_id === undefined ? null : orders.get(rowKey(session, order_id));
          return { session, order: order ?? null };
        });
    },

    async listCouponUses({ coupon_id, after, limit, ...partition }) {
      const uses = [...orders.values()].filter(
        (order) =>
          isIn(partition, order) &&
          usesCoupon(order, coupon_id) &&
          (after === undefined || order.number < after),
      );
      return uses.sort((a, b) => b.number - a.number).slice(0, limit);
    },

    countCouponUses: async (store_id, coupon_ids) =>
      coupon_ids.flatMap((coupon_id) =>
        modes.map((livemode) => {
          const key = rowKey({ store_id, livemode }, coupon_id);
          return { coupon_id, livemode, used: state.catalog.coupon_uses.get(key) ?? 0 };
        }),
      ),

    countStock: async (partition, product_ids) =>
      product_ids.flatMap((product_id) => {
        const count = state.catalog.stock.get(rowKey(partition, product_id));
        return count ? [{ product_id, ...count }] : [];
      }),
  };
}

type EventLists = Pick<ListingStore, "listEvents" | "findEvent" | "countAttempts">;

function memoryEventLists(state: MemoryState): EventLists {
  const attemptsOf = (store_id: string, endpoint_id: string) =>
    [...state.webhooks.attempts.values()]
      .flat()
      .filter((attempt) => attempt.store_id === store_id && attempt.endpoint_id === endpoint_id)
      .sort((a, b) => b.started_at - a.started_at);

  return {
    async listEvents(query) {
      const { type, order_id, after, limit } = query;
      const events = (state.webhooks.events.get(rowKey(query)) ?? []).filter(
        (event) =>
          (type === undefined || event.type === type) &&
          (order_id === undefined ||
            (event.body !== null && orderOfEvent(event.body) === order_id)) &&
          isCreatedIn(query, event.created_at) &&
          (after === undefined || newestEvent(after, event) < 0),
      );
      return events.sort(newestEvent).slice(0, limit);
    },

    findEvent: async (partition, id) => findEvent(state, partition, id) ?? null,

    async countAttempts({ store_id, endpoint_id, since, limit }) {
      const all = attemptsOf(store_id, endpoint_id);
      const counted = all.filter(({ started_at }) => started_at >= since).slice(0, limit);
      const accepted = counted.filter(({ error }) => error === null).length;
      const last = all.find(({ error }) => error === null);
      const last_accepted_at = last?.started_at ?? null;
      return { attempts: counted.length, accepted, last_accepted_at };
    },
  };
}

const isCreatedIn = ({ created_from, created_to }: CreatedRange, created_at: number): boolean =>
  (created_from === undefined || created_at >= created_from) &&
  (created_to === undefined || created_at < created_to);

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

interface CreatedRow {
  readonly created_at: number;
  readonly id: string;
}

const newestFirst = (a: CreatedRow, b: CreatedRow): number =>
  b.created_at - a.created_at || byText(b.id, a.id);

const newestDispute = (
  a: CreatedRow & { readonly order_id: string },
  b: CreatedRow & { readonly order_id: string },
): number => b.created_at - a.created_at || byText(b.order_id, a.order_id) || byText(b.id, a.id);

interface EventPlace {
  readonly created_at: number;
  readonly sequence: number;
}

const newestEvent = (a: EventPlace, b: EventPlace): number =>
  b.created_at - a.created_at || b.sequence - a.sequence;

interface Period {
  readonly current_period_end: number;
  readonly id: string;
}

const soonestFirst = (a: Period, b: Period): number =>
  a.current_period_end - b.current_period_end || byText(a.id, b.id);
