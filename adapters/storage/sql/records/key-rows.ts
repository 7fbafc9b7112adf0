import { foundRecord } from "#core/rules/owner/record-kinds.ts";
import { keysOf, readKey } from "../access/keys.ts";
import { toBool } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { changed, many, one } from "../engine/queries.ts";
import type { RecordRows } from "./record-rows.ts";

/** Keeps API keys. The time of a key's last use is written by `noteKeyUses` alone. */
export const keyRows = ({ db, dialect }: SqlEngine): RecordRows<"api_key"> => ({
  *load({ store_id, id, may }) {
    const store = db.selectFrom("stores").select("id").where("id", "=", store_id);
    const owner_exists = may !== "make" || (yield* one(store)) !== undefined;
    const row = yield* one(dialect.forUpdate(keysOf(db, store_id).where("id", "=", id)));
    return foundRecord<"api_key">({ owner_exists, record: row ? readKey(row) : null });
  },
  *put({ last_used_at, ...key }, before) {
    if (before === null)
      return yield* changed(
        db
          .insertInto("api_keys")
          .values({ ...key, livemode: toBool(key.livemode), scopes: JSON.stringify(key.scopes) })
          .onConflict((conflict) => conflict.doNothing())
          .compile(),
      );

    yield* many(
      db
        .updateTable("api_keys")
        .set({ revoked_at: key.revoked_at })
        .where("store_id", "=", key.store_id)
        .where("id", "=", key.id),
    );
    return true;
  },
});
