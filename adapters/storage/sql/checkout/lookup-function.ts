import { giveStock } from "../catalog/stock/stock-text.ts";
import type { StoreFunction } from "../engine/store-function.ts";
import { functionNames } from "../schema/function-names.ts";

/**
 * A row that the function gives. A key is its row as JSON, and the stock of a product its
 * counts.
 */
export interface FoundRow {
  readonly kind: "key" | "session" | "product" | "stock";
  readonly id: string;
  readonly record: string;
}

/**
 * Reads a key with its session, and products with their stock. It sees one moment, that of
 * the statement which calls it, because it is stable.
 */
export const lookupFunction: StoreFunction = {
  name: functionNames.lookUp,
  parameters: [
    "given_store text",
    "given_livemode integer",
    "given_kind text",
    "given_operation text",
    "given_key text",
    "given_products text",
  ],
  returns: "table (kind text, id text, record text) stable",
  body: () => `
    declare
      product_ids text[] = array(select json_array_elements_text(cast(given_products as json)));
      key_row {idempotency_keys};
      found_row record;
    begin
      if given_key is not null then
        select * into key_row from {idempotency_keys} as k
          where k.store_id = given_store and k.livemode = given_livemode
            and k.key_kind = given_kind and k.operation = given_operation
            and k.idempotency_key = given_key;
        if found then
          kind = 'key';
          record = row_to_json(key_row);
          return next;
          select s.record into record from {checkout_sessions} as s
            where s.store_id = given_store and s.livemode = given_livemode
              and s.id = key_row.session_id;
          if found then
            kind = 'session';
            return next;
          end if;
        end if;
      end if;

      if product_ids = '{}' then return; end if;
      for found_row in
        select p.id, p.record from {products} as p
        where p.store_id = given_store and p.id = any(product_ids)
      loop
        kind = 'product';
        id = found_row.id;
        record = found_row.record;
        return next;
      end loop;
      ${giveStock()}
    end`,
};
