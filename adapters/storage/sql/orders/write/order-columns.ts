import { dueAt } from "#core/rules/clock/due-times.ts";
import type { OrderRecord } from "#core/rules/records.ts";
import { partitionColumns } from "../../engine/columns.ts";
import type { Db } from "../../engine/engine.ts";
import type { Param } from "../../engine/queries.ts";

/** Every write of an order sets these columns. */
export const orderColumns = (param: Param) => ({
  number: param<number>("number"),
  status: param<OrderRecord["status"]>("status"),
  session_id: param<string | null>("session_id"),
  customer_id: param<string>("customer_id"),
  subscription_id: param<string | null>("subscription_id"),
  period_start: param<number | null>("period_start"),
  sweep_at: param<number | null>("sweep_at"),
  updated_at: param<number>("updated_at"),
  record: param<string>("record"),
});

export const orderValues = (order: OrderRecord, offset: number) => ({
  ...partitionColumns(order),
  id: order.id,
  number: order.number,
  status: order.status,
  session_id: order.session_id,
  customer_id: order.customer.id,
  subscription_id: order.subscription_id,
  period_start: order.period_start,
  sweep_at: dueAt(order.sweep_at, offset),
  updated_at: order.updated_at,
  created_at: order.created_at,
  record: JSON.stringify(order),
});

export const orderUpdateValues = (order: OrderRecord, before: OrderRecord, offset: number) => ({
  ...orderValues(order, offset),
  status_before: before.status,
});

export const newOrder = (db: Db, param: Param) =>
  db.insertInto("orders").values({
    store_id: param<string>("store_id"),
    livemode: param<0 | 1>("livemode"),
    id: param<string>("id"),
    created_at: param<number>("created_at"),
    in_stats: 1,
    ...orderColumns(param),
  });
