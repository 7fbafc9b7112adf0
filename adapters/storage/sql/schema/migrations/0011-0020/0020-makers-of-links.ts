import type { Migration } from "../../migration.ts";

// `made_in` is the hash of a session. Both are null in the rows of earlier versions.
const statements: readonly string[] = [
  "alter table {dashboard_links} add column made_by text",
  "alter table {dashboard_links} add column made_in text",
  "alter table {dashboard_sessions} add column made_by text",
  "alter table {dashboard_sessions} add column made_in text",
  "create index {dashboard_links_newest} on {dashboard_links} (store_id, created_at, link_hash)",
  "create index {dashboard_links_made_in} on {dashboard_links} (store_id, made_in)",
  "create index {dashboard_sessions_made_in} on {dashboard_sessions} (store_id, made_in)",
];

/** Adds who made a link, and the session in which it was made. */
export const migration20: Migration = {
  id: 20,
  name: "makers of links",
  compatible_from: 1,
  statements: {
    postgres: statements,
    sqlite: statements,
  },
};
