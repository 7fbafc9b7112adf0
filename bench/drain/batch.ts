import Database from "better-sqlite3";
import { bodyOf, createPoster, perSecond, pooled, urlOf, type Work } from "./work.ts";

const batch = 500;

/**
 * Sends posts as a developer writes it on SQLite. It leases five hundred posts,
 * sends them and settles them with their log in one transaction. It has no retries
 * and no fairness.
 */
export async function handWrittenBatch(file: string, work: Work): Promise<number> {
  const db = new Database(file);
  db.pragma("journal_mode = wal");
  db.pragma("synchronous = full");
  db.exec(`
    create table queue (
      id text primary key, url text, body text, state text, due_at integer, attempts integer
    );
    create index queue_due on queue (due_at) where state = 'pending';
    create table attempts (
      id text, attempt integer, started_at integer, status integer, primary key (id, attempt)
    );`);

  const add = db.prepare("insert into queue values (?, ?, ?, 'pending', 0, 0)");
  const lease = db.prepare<[number, number, number], { id: string; url: string; body: string }>(
    `update queue set due_at = ?
     where rowid in (
       select rowid from queue where state = 'pending' and due_at <= ? order by due_at limit ?
     )
     returning id, url, body`,
  );
  const settle = db.prepare(
    "update queue set state = 'delivered', attempts = attempts + 1 where id = ?",
  );
  const log = db.prepare("insert into attempts values (?, 1, ?, 204)");
  db.transaction(() => {
    for (let at = 0; at < work.posts; at++)
      add.run(`evt_${at}`, urlOf(work, at), bodyOf(`evt_${at}`));
  })();
  const poster = createPoster(work.open);
  try {
    return await perSecond(work.posts, async () => {
      for (;;) {
        const now = Date.now();
        const rows = lease.all(now + 60_000, now, batch);
        if (rows.length === 0) return;
        await pooled(rows.length, work.open, async (index) => {
          const row = rows[index];
          if (row) await poster.post(row.url, row.id, row.body);
        });
        db.transaction(() => {
          for (const { id } of rows) {
            settle.run(id);
            log.run(id, now);
          }
        })();
      }
    });
  } finally {
    poster.close();
    db.close();
  }
}
