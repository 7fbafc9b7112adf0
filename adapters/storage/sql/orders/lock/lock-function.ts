import { giveStock } from "../../catalog/stock/stock-text.ts";
import type { StoreFunction } from "../../engine/store-function.ts";
import { functionNames } from "../../schema/function-names.ts";

/** A row that the function gives. A product's stock is a row of its counts as JSON. */
export interface LockedRow {
  readonly kind: "session" | "order" | "payment" | "attempt" | "elsewhere" | "product" | "stock";
  readonly id: string | null;
  readonly record: string;
}

/** Reads the attempts and the money of the order, and those that carry the reference. */
const readMoney = `
  if order_of is not null or given_reference is not null then
    for found_row in
      select p.order_id, p.attempt_id, p.payment_reference, p.record from {payments} as p
      where p.store_id = given_store and p.livemode = given_livemode
        and (p.order_id = order_of or p.payment_reference = given_reference)
    loop
      if found_row.payment_reference = given_reference then
        attempt_ids = attempt_ids || found_row.attempt_id;
      end if;
      if found_row.order_id = order_of then
        kind = 'payment';
        record = found_row.record;
        return next;
      end if;
    end loop;
    for found_row in
      select a.id, a.order_id, a.record from {payment_attempts} as a
      where a.store_id = given_store and a.livemode = given_livemode
        and (a.order_id = order_of or a.reference = given_reference
          or a.payment_reference = given_reference)
    loop
      attempt_ids = array_remove(attempt_ids, found_row.id);
      kind = case when found_row.order_id = order_of then 'attempt' else 'elsewhere' end;
      record = found_row.record;
      return next;
    end loop;
  end if;
  -- Money may carry the reference although the attempt that it came for does not.
  if cardinality(attempt_ids) > 0 then
    for found_row in
      select a.record from {payment_attempts} as a
      where a.store_id = given_store and a.livemode = given_livemode
        and a.id = any(attempt_ids)
    loop
      kind = 'elsewhere';
      record = found_row.record;
      return next;
    end loop;
  end if;`;

/** Reads products when the step judges them, and locks their stock in the order of their ids. */
const readGoods = `
  if given_judges then
    for found_row in
      select p.record from {products} as p
      where p.store_id = given_store and p.id = any(product_ids)
    loop
      kind = 'product';
      record = found_row.record;
      return next;
    end loop;
  end if;
  ${giveStock("order by t.product_id for update")}`;

/**
 * Locks and reads what a step of a checkout decides over: session, order, the money of
 * both, products when the step judges them, and stock, in this order of the locks.
 */
export const lockFunction: StoreFunction = {
  name: functionNames.lockCheckout,
  parameters: [
    "given_store text",
    "given_livemode integer",
    "given_session text",
    "given_reference text",
    "given_judges boolean",
  ],
  returns: "table (kind text, id text, record text)",
  body: () => `
    declare
      order_of text;
      product_ids text[];
      attempt_ids text[] = '{}';
      found_row record;
    begin
      select s.record into record from {checkout_sessions} as s
        where s.store_id = given_store and s.livemode = given_livemode and s.id = given_session
        for update;
      if not found then return; end if;
      kind = 'session';
      return next;
      product_ids = array(
        select distinct line ->> 'product_id'
        from json_array_elements(cast(record as json) -> 'lines') as line);

      select o.id, o.record into order_of, record from {orders} as o
        where o.store_id = given_store and o.livemode = given_livemode
          and o.session_id = given_session
        for update;
      if found then
        kind = 'order';
        return next;
      end if;

      ${readMoney}
      ${readGoods}
    end`,
};
