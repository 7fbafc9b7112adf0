import type { Migration } from "../../migration.ts";

const statements: readonly string[] = [
  // `livemode` is null for a change that concerns both modes. `fields` holds JSON.
  `create table {audit_log} (store_id $id not null,
    id $id not null,
    livemode integer,
    actor text not null,
    action $id not null,
    subject_type $id not null,
    subject_id text not null,
    fields text not null,
    created_at bigint not null,
    primary key (store_id, id))`,
  "create index {audit_log_newest} on {audit_log} (store_id, created_at, id)",
  "create index {audit_log_of_actor} on {audit_log} (store_id, actor, created_at, id)",
  "create index {audit_log_of_action} on {audit_log} (store_id, action, created_at, id)",
  `create index {audit_log_of_subject} on {audit_log}
    (store_id, subject_type, subject_id, created_at, id)`,
  "create index {audit_log_to_prune} on {audit_log} (created_at)",
];

/** Makes the table that holds what actors did in each store. */
export const migration15: Migration = {
  id: 15,
  name: "audit log",
  compatible_from: 1,
  statements: {
    postgres: statements,
    sqlite: statements,
  },
};
