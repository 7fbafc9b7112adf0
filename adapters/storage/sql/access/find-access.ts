import { sql } from "kysely";
import type { AccessRecord, StoreRecord } from "../../../../src/rules/records.ts";
import type { AccessStore } from "../../../../src/storage/types.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { fromJson } from "../engine/json.ts";
import { prepareLines } from "../engine/step.ts";

const maxKnown = 1_000;

/**
 * Key and store, read from the database at each call as one text of lines; the name comes last, for it alone may hold a line's end. A text that
 * is as it was the last time has not to be taken apart again.
 */
export function createFindAccess({ db, sharedLines }: SqlEngine): AccessStore["findAccess"] {
  const query = prepareLines((place) =>
    db
      .selectFrom("api_keys as held")
      .innerJoin("stores as shop", "shop.id", "held.store_id")
      .select(
        sql<string>`${sql.join(
          [
            sql`held.id`,
            sql`held.store_id`,
            sql`cast(held.livemode as text)`,
            sql`held.kind`,
            sql`held.last4`,
            sql`cast(held.created_at as text)`,
            sql`coalesce(cast(held.revoked_at as text), '')`,
            sql`cast(shop.catalog_version as text)`,
            sql`held.scopes`,
            sql`shop.origins`,
            sql`shop.return_urls`,
            sql`shop.record`,
            sql`held.name`,
          ],
          sql` || ${sql.lit("\n")} || `,
        )}`.as("line"),
      )
      .where("held.key_hash", "=", place<string>("key_hash")),
  );
  const known = new Map<string, { readonly line: string; readonly access: AccessRecord }>();

  return async (key_hash) => {
    const [line] = await sharedLines(query({ key_hash }));
    if (line === undefined || line === null) return null;
    const before = known.get(key_hash);
    if (before?.line === line) return before.access;
    const access = readAccess(key_hash, line);
    if (known.size >= maxKnown) known.clear();
    known.set(key_hash, { line, access });
    return access;
  };
}

function readAccess(key_hash: string, line: string): AccessRecord {
  const parts = line.split("\n");
  const [id = "", store_id = "", livemode, kind, last4 = "", created_at, revoked_at, version] =
    parts;
  const [scopes = "", origins = "", return_urls = "", record = "", ...name] = parts.slice(8);
  return {
    key: {
      id,
      store_id,
      livemode: livemode === "1",
      kind: kind === "secret" ? "secret" : "publishable",
      name: name.join("\n"),
      scopes: fromJson(scopes),
      key_hash,
      last4,
      created_at: Number(created_at),
      revoked_at: revoked_at === "" ? null : Number(revoked_at),
    },
    store: Object.assign(fromJson<StoreRecord>(record), { catalog_version: Number(version) }),
    origins: fromJson(origins),
    return_urls: fromJson(return_urls),
  };
}
