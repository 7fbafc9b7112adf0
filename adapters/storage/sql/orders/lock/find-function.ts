import type { StoreFunction } from "../../engine/store-function.ts";
import { functionNames } from "../../schema/function-names.ts";

/** Reads a session and its order of one moment: a stable function sees that of its call. */
export const findFunction: StoreFunction = {
  name: functionNames.findCheckout,
  parameters: ["given_store text", "given_livemode integer", "given_session text"],
  returns: "table (kind text, record text) stable",
  body: () => `
    begin
      select s.record into record from {checkout_sessions} as s
        where s.store_id = given_store and s.livemode = given_livemode and s.id = given_session;
      if not found then return; end if;
      kind = 'session';
      return next;
      select o.record into record from {orders} as o
        where o.store_id = given_store and o.livemode = given_livemode
          and o.session_id = given_session;
      if not found then return; end if;
      kind = 'order';
      return next;
    end`,
};
