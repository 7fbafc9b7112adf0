import Database from "better-sqlite3";

export interface Release {
  readonly event_id: string;
  readonly order_number: number;
  readonly items: string;
}

/** Opens the host's own table of released orders, which has one row for each event. */
function open(): Database.Database {
  const database = new Database(process.env["DATABASE"]);
  database.exec(
    "create table if not exists releases (event_id text primary key, order_number integer not null, items text not null)",
  );
  return database;
}
const kept = globalThis as { releases?: Database.Database };
const database = (): Database.Database => {
  kept.releases ??= open();
  return kept.releases;
};

export function release({ event_id, order_number, items }: Release): void {
  database()
    .prepare("insert or ignore into releases values (?, ?, ?)")
    .run(event_id, order_number, items);
}

export const released = (): readonly Release[] =>
  database().prepare<[], Release>("select * from releases order by order_number desc").all();
