import { type StoreFunction, textOf, valuesOf } from "../engine/store-function.ts";
import { functionNames } from "../schema/function-names.ts";
import { keyInsert, sessionInsert, unlocked } from "./keys.ts";

/** Inserts key and session and gives the session's id, or does nothing when the key is known. */
export const sessionFunction: StoreFunction = {
  name: functionNames.createSession,
  parameters: ["given_store text", "given_row json"],
  returns: "setof text",
  body: (db) => `
    declare
      k {idempotency_keys} = json_populate_record(null::{idempotency_keys}, given_row);
      s {checkout_sessions} = json_populate_record(null::{checkout_sessions}, given_row);
    begin
      ${textOf(keyInsert(db, valuesOf("k"), unlocked))};
      if not found then return; end if;
      ${textOf(sessionInsert(db, valuesOf("s")))};
      return next s.id;
    end`,
};
