import Database from "better-sqlite3";
import {
  type Access,
  key,
  type LimitStore,
  type ProductRow,
  productRows,
  sha,
  tables,
} from "./limit-store.ts";

/** Prepares each statement once on one handle. */
export function sqliteLimit(file: string, empty: boolean): LimitStore {
  const db = new Database(file);
  db.pragma("journal_mode = wal");
  db.pragma("synchronous = full");
  if (empty) fill(db);
  const findKey = db.prepare<[string], Access>("select store, version from keys where hash = ?");
  const page = db.prepare<[number, number], ProductRow>(
    "select * from products order by position, id limit ? offset ?",
  );
  const bySlug = db.prepare<[string], ProductRow>("select * from products where slug = ?");
  const byId = db.prepare<[string], ProductRow>("select * from products where id = ?");
  const findReply = db.prepare<[string, string], { body: string }>(
    "select body from replies where store = ? and key = ?",
  );
  const putReply = db.prepare("insert into replies values (?, ?, ?, ?)");
  const putSession = db.prepare("insert into sessions values (?, ?)");
  return {
    findKey: (hash) => findKey.get(hash),
    page: (limit, offset) => page.all(limit, offset),
    bySlug: (slug) => bySlug.get(slug),
    byIds: (ids) => ids.flatMap((id) => byId.get(id) ?? []),
    findReply: (store, idempotency) => findReply.get(store, idempotency),
    create: db.transaction(
      (store: string, idempotency: string, fingerprint: string, id: string, body: string) => {
        putSession.run(id, body);
        putReply.run(store, idempotency, fingerprint, body);
      },
    ),
  };
}

function fill(db: Database.Database): void {
  db.exec(tables);
  const add = db.prepare<[ProductRow]>(
    "insert into products values " +
      "(:id, :slug, :position, :name, :description, :price, :currency, :created)",
  );
  db.transaction(() => {
    db.prepare("insert into keys values (?, 'str_1', 1)").run(sha(key));
    for (const row of productRows) add.run(row);
  })();
}
