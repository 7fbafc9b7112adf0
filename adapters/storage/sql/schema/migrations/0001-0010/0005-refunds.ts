import type { Migration } from "../../migration.ts";

// An older version did not write which attempt's money a refund moves back. Only the attempt that
// paid the order was refunded.

const paidBy = `select id from {payment_attempts} as a
    where a.store_id = r.store_id and a.livemode = r.livemode and a.order_id = r.order_id
      and a.state = 'succeeded'`;

export const migration5: Migration = {
  id: 5,
  name: "refunds",
  compatible_from: 1,
  former_checksums: ["085387eb"],
  statements: {
    postgres: [
      `update {refunds} as r set record =
        (r.record::jsonb || jsonb_build_object('attempt_id', (${paidBy} limit 1)))::text
      from {refunds} as c
      where $range[refunds:store_id,livemode,id] and c.record::jsonb->'attempt_id' is null
        and r.store_id = c.store_id and r.livemode = c.livemode and r.id = c.id`,
    ],
    sqlite: [
      `update {refunds} as r set record = json_set(record, '$.attempt_id', (${paidBy} limit 1))`,
    ],
  },
};
