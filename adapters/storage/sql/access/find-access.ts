import { sql } from "kysely";
import type { AccessRecord, StoreRecord } from "#core/rules/records.ts";
import type { AccessStore } from "#core/storage/types.ts";
import { fromJson } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { prepareTextRows } from "../engine/queries.ts";
import { orEmpty, TextRowReader, textRow } from "../engine/text-rows.ts";

const maxKnown = 1_000;

/**
 * Reads key and store at each call as one text row. A text that equals the one of
 * the key's last call is not parsed again.
 */
export function prepareFindAccess({
  db,
  readSharedTextRows,
}: SqlEngine): AccessStore["findAccess"] {
  const query = prepareTextRows((param) =>
    db
      .selectFrom("api_keys as held")
      .innerJoin("stores as shop", "shop.id", "held.store_id")
      .select(accessTextRow)
      .where("held.key_hash", "=", param<string>("key_hash")),
  );
  const parsed = new Map<string, { readonly text: string; readonly access: AccessRecord }>();

  return async (key_hash) => {
    const [text] = await readSharedTextRows(query({ key_hash }));
    if (text === undefined || text === null) return null;

    const known = parsed.get(key_hash);
    if (known?.text === text) return known.access;

    const access = readAccess(key_hash, text);
    if (parsed.size >= maxKnown) parsed.clear();
    parsed.set(key_hash, { text, access });
    return access;
  };
}

/** The key's name comes last, because it may hold a line feed. */
const accessTextRow = textRow(
  sql`held.id`,
  sql`held.store_id`,
  sql`cast(held.livemode as text)`,
  sql`held.kind`,
  sql`held.last4`,
  sql`cast(held.created_at as text)`,
  orEmpty(sql`held.revoked_at`),
  sql`cast(shop.catalog_version as text)`,
  sql`held.scopes`,
  sql`shop.origins`,
  sql`shop.return_urls`,
  sql`shop.record`,
  sql`held.name`,
);

/** Reads the fields in the order that `accessTextRow` selects them in. */
function readAccess(key_hash: string, text: string): AccessRecord {
  const row = new TextRowReader(text);
  const id = row.text();
  const store_id = row.text();
  const livemode = row.integer() === 1;
  const kind = row.text() === "secret" ? "secret" : "publishable";
  const last4 = row.text();
  const created_at = row.integer();
  const revoked_at = row.integerOrNull();
  const catalog_version = row.integer();
  const scopes = fromJson<string[]>(row.text());
  const origins = fromJson<string[]>(row.text());
  const return_urls = fromJson<string[]>(row.text());
  const store = Object.assign(fromJson<StoreRecord>(row.text()), { catalog_version });
  const name = row.rest();

  return {
    key: {
      id,
      store_id,
      livemode,
      kind,
      name,
      scopes,
      key_hash,
      last4,
      created_at,
      revoked_at,
    },
    store,
    origins,
    return_urls,
  };
}
