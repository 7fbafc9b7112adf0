import type { Migration } from "../../migration.ts";

/** A link and a session have these columns. `access` is JSON. */
const passColumns = `actor text not null, access text not null, created_at bigint not null,
    expires_at bigint not null`;

const statements: readonly string[] = [
  `create table {dashboard_links} (store_id $id not null, link_hash text not null,
    ${passColumns}, primary key (store_id, link_hash))`,
  "create index {dashboard_links_to_purge} on {dashboard_links} (expires_at)",
  `create table {dashboard_sessions} (store_id $id not null, session_hash text not null,
    ${passColumns}, primary key (store_id, session_hash))`,
  "create index {dashboard_sessions_to_purge} on {dashboard_sessions} (expires_at)",
  `create table {dashboard_forms} (store_id $id not null, form_id text not null,
    expires_at bigint not null, primary key (store_id, form_id))`,
  "create index {dashboard_forms_to_purge} on {dashboard_forms} (expires_at)",
];

/**
 * Makes the tables of the dashboard: links to sign in by, sessions, and the forms
 * that were sent.
 */
export const migration14: Migration = {
  id: 14,
  name: "dashboard",
  compatible_from: 1,
  statements: {
    postgres: statements,
    sqlite: statements,
  },
};
