import type { Edit } from "../edit.ts";

const sql = "adapters/storage/sql";
const conformance = ["conformance/storages.test.ts"];

/** Guards of SQL statements, and what they read. */
export const sqlEdits: readonly Edit[] = [
  {
    name: "a sale needs one piece more than there is",
    file: `${sql}/catalog/stock.ts`,
    from: `eb.ref("held")), ">=", param<number>("needed")`,
    to: `eb.ref("held")), ">", param<number>("needed")`,
    tests: conformance,
  },
  {
    name: "the guard of the stock counts pieces that others hold",
    file: `${sql}/catalog/stock.ts`,
    from: `eb(eb("stock", "-", eb.ref("held")), ">=", param<number>("needed"))`,
    to: `eb("stock", ">=", param<number>("needed"))`,
    tests: conformance,
  },
  {
    name: "held pieces go below zero after a reset",
    file: `${sql}/catalog/stock.ts`,
    from: `held: sql<number>\`case when held + \${held_delta} < 0 then 0
            else held + \${held_delta} end\`,`,
    to: `held: sql<number>\`held + \${held_delta}\`,`,
    tests: conformance,
  },
  {
    name: "a sale renders the document of the other mode",
    file: `${sql}/catalog/stock.ts`,
    from: "livemode ? { document_live } : { document_test }",
    to: "livemode ? { document_test } : { document_live }",
    tests: conformance,
  },
  {
    name: "a coupon is used once more than it may be",
    file: `${sql}/catalog/coupon-counters.ts`,
    from: `increment.where("used", "<", max_uses)`,
    to: `increment.where("used", "<=", max_uses)`,
    tests: [...conformance, "http/coupons.test.ts"],
  },
  {
    name: "a coupon use counts for every customer",
    file: `${sql}/catalog/coupon-counters.ts`,
    from: `      .where("coupon_id", "=", coupon_id)
      .where("customer_key", "=", customer_key),`,
    to: `      .where("coupon_id", "=", coupon_id),`,
    tests: [...conformance, "http/coupons.test.ts"],
  },
  {
    name: "the customer's coupon uses are read without the customer",
    file: `${sql}/catalog/coupon-counters.ts`,
    from: `        .where("coupon_id", "=", counter.coupon_id)
        .where("customer_key", "=", counter.customer_key),`,
    to: `        .where("coupon_id", "=", counter.coupon_id),`,
    tests: [...conformance, "http/coupons.test.ts"],
  },
  {
    name: "a cart's coupon uses are those of live mode",
    file: `${sql}/checkout/lookup.ts`,
    from: `n.store_id = c.store_id and n.livemode = \${param("livemode")}`,
    to: "n.store_id = c.store_id and n.livemode = 1",
    tests: [...conformance, "http/coupons.test.ts"],
  },
  {
    name: "a revocation of the other mode refuses the buyer's token",
    file: `${sql}/checkout/lookup.ts`,
    from: `where store_id = \${param("store_id")} and livemode = \${param("livemode")}
    and customer_id`,
    to: `where store_id = \${param("store_id")}
    and customer_id`,
    tests: [...conformance, "attack/buyer-tokens.test.ts"],
  },
  {
    name: "an idempotency key of the other kind of API key is replayed",
    file: `${sql}/checkout/lookup.ts`,
    from: `k.key_kind = \${param("key_kind")} and `,
    to: "",
    tests: [...conformance, "http/idempotency.test.ts"],
  },
  {
    name: "anybody releases a claimed idempotency key",
    file: `${sql}/checkout/checkout.ts`,
    from: `            .where("lock_token", "=", lock_token)
`,
    to: "",
    tests: conformance,
  },
  {
    name: "a rate limit lets one hit more pass",
    file: `${sql}/checkout/limits.ts`,
    from: `\${kept}) < \${param("limit")}`,
    to: `\${kept}) <= \${param("limit")}`,
    tests: conformance,
  },
  {
    name: "a hit of exactly one window ago still counts",
    file: `${sql}/checkout/limits.ts`,
    from: `cast(value as bigint) > \${now} - `,
    to: `cast(value as bigint) >= \${now} - `,
    tests: conformance,
  },
  {
    name: "the order of the cursor is listed again",
    file: `${sql}/orders/list.ts`,
    from: `page.where("number", "<", cursor`,
    to: `page.where("number", "<=", cursor`,
    tests: conformance,
  },
  {
    name: "an order of another buyer is a cursor of one's own list",
    file: `${sql}/orders/list.ts`,
    from: `visible.where("id", "=", query.after)`,
    to: `ofStore.where("id", "=", query.after)`,
    tests: [...conformance, "http/tokens.test.ts"],
  },
  {
    name: "orders are due a millisecond too late",
    file: `${sql}/orders/maintenance.ts`,
    from: `.where(dueAt, "<=", now)`,
    to: `.where(dueAt, "<", now)`,
    tests: conformance,
  },
  {
    name: "claimed work is not leased",
    file: `${sql}/orders/maintenance.ts`,
    from: ".set({ [column]: until })",
    to: ".set({ [column]: now })",
    tests: conformance,
  },
  {
    name: "a message finds the payment of another account",
    file: `${sql}/orders/maintenance.ts`,
    from: `match(sql\`coalesce(a.account, '')\`, "=", account ?? ""),`,
    to: "",
    tests: [...conformance, "payments/identity.test.ts"],
  },
  {
    name: "a message finds the payment of the other mode",
    file: `${sql}/orders/maintenance.ts`,
    from: `            match("a.livemode", "=", toBool(livemode)),
`,
    to: "",
    tests: [...conformance, "payments/identity.test.ts"],
  },
  {
    name: "an earlier revocation replaces a later one",
    file: `${sql}/orders/orders.ts`,
    from: `.doUpdateSet({ not_before })
                .where("customer_tokens.not_before", "<", not_before),`,
    to: ".doUpdateSet({ not_before }),",
    tests: [...conformance, "http/tokens.test.ts"],
  },
  {
    name: "attempts come in the order of their ids",
    file: `${sql}/orders/orders.ts`,
    from: `      .orderBy("a.created_at")
`,
    to: "",
    tests: conformance,
  },
  {
    name: "an alert is raised again at the end of its quiet time",
    file: `${sql}/access/alerts.ts`,
    from: `eb("created_at", ">=", unless_since)`,
    to: `eb("created_at", ">", unless_since)`,
    tests: conformance,
  },
  {
    name: "an alert of one mode keeps that of the other quiet",
    file: `${sql}/access/alerts.ts`,
    from: `      .where("livemode", "=", toBool(alert.livemode))
`,
    to: "",
    tests: conformance,
  },
  {
    name: "a repeated revocation moves the time of the first",
    file: `${sql}/access/keys.ts`,
    from: `            .where("id", "=", key_id)
            .where("revoked_at", "is", null),`,
    to: `            .where("id", "=", key_id),`,
    tests: conformance,
  },
  {
    name: "a revocation revokes every key of the store",
    file: `${sql}/access/keys.ts`,
    from: `            .where("id", "=", key_id)
            .where("revoked_at", "is", null),`,
    to: `            .where("revoked_at", "is", null),`,
    tests: conformance,
  },
  {
    name: "a deleted product leaves its stock",
    file: `${sql}/catalog/owner-products.ts`,
    from: "  yield* deleteStocks(db, store_id, [id]);\n",
    to: "",
    tests: [...conformance, "owner/products.test.ts"],
  },
  {
    name: "the owner's stock is set in live mode only",
    file: `${sql}/catalog/owner-products.ts`,
    from: ": modes.map((livemode)",
    to: ": modes.slice(1).map((livemode)",
    tests: conformance,
  },
  {
    name: "a refused product leaves the catalog version raised",
    file: `${sql}/catalog/owner-products.ts`,
    from: `  if (refusal) {
    yield* restoreCatalogVersion(db, store_id);`,
    to: "  if (refusal) {",
    tests: [...conformance, "owner/products.test.ts"],
  },
  {
    name: "a disabled category lists its products",
    file: `${sql}/catalog/list.ts`,
    from: `c.store_id = \${param("store_id")} and c.enabled = 1`,
    to: `c.store_id = \${param("store_id")}`,
    tests: conformance,
  },
  {
    name: "an endpoint gets the events of the other mode",
    file: `${sql}/webhooks/event-statements.ts`,
    from: `e.store_id = \${param("store_id")} and e.livemode = \${param("livemode")}`,
    to: `e.store_id = \${param("store_id")}`,
    tests: conformance,
  },
  {
    name: "a disabled endpoint gets pending deliveries",
    file: `${sql}/webhooks/event-statements.ts`,
    from: "case when e.state = 'enabled' then 'pending' else 'skipped' end",
    to: "'pending'",
    tests: conformance,
  },
  {
    name: "PostgreSQL claims a delivery a millisecond too late",
    file: `${sql}/webhooks/claim.postgres.ts`,
    from: "(endpoint_id, due_at) <= (r.endpoint_id",
    to: "(endpoint_id, due_at) < (r.endpoint_id",
    tests: conformance,
  },
  {
    name: "two workers on PostgreSQL lease one delivery",
    file: `${sql}/webhooks/claim.postgres.ts`,
    from: " limit r.quota for update skip locked",
    to: " limit r.quota",
    tests: conformance,
  },
  {
    name: "PostgreSQL does not count lost leases",
    file: `${sql}/webhooks/claim.postgres.ts`,
    from: "else d.lost_leases + 1 end",
    to: "else d.lost_leases end",
    tests: conformance,
  },
  {
    name: "SQLite claims a delivery a millisecond too late",
    file: `${sql}/webhooks/claim.sqlite.ts`,
    from: `and due_at <= \${param("now")}`,
    to: `and due_at < \${param("now")}`,
    tests: conformance,
  },
  {
    name: "SQLite leases more than the claim's limit",
    file: `${sql}/webhooks/claim.sqlite.ts`,
    from: "const most = Math.min(quota, limit - rows.length);",
    to: "const most = quota;",
    tests: conformance,
  },
  {
    name: "a failure counts after its lease was lost",
    file: `${sql}/webhooks/settle-statements.ts`,
    from: " and d.lease_token = g.token))",
    to: "))",
    tests: conformance,
  },
  {
    name: "a failed resend loses the time of the schedule",
    file: `${sql}/webhooks/settle-statements.ts`,
    from: "when d.resume_state is not null then d.resume_due",
    to: "when d.resume_state is not null then d.due_at",
    tests: conformance,
  },
  {
    name: "a failed resend counts as a failure of the schedule",
    file: `${sql}/webhooks/settle-statements.ts`,
    from: "when g.taken = 1 or d.resume_state is not null then d.failures",
    to: "when g.taken = 1 then d.failures",
    tests: conformance,
  },
  {
    name: "a success on PostgreSQL leaves its endpoint failing",
    file: `${sql}/webhooks/settle.postgres.ts`,
    from: "e.state = 'enabled' and e.failing_since is not null",
    to: "e.state = 'enabled' and e.failing_since is null and 1 = 0",
    tests: conformance,
  },
  {
    name: "an enabled endpoint's deliveries are skipped",
    file: `${sql}/webhooks/skip.ts`,
    from: `      and not exists (
        select 1 from \${sql.table("webhook_endpoints")} as e
        where e.id = d.endpoint_id and e.state = 'enabled'
      )
`,
    to: "",
    tests: conformance,
  },
  {
    name: "a late worker releases another worker's lease",
    file: `${sql}/webhooks/claims.ts`,
    from: `
      and d.lease_token = \${param("lease_token")}\``,
    to: "`",
    tests: conformance,
  },
  {
    name: "the newest event of a partition is pruned",
    file: `${sql}/webhooks/prune.ts`,
    from: "and ev.sequence < (",
    to: "and ev.sequence <= (",
    tests: conformance,
  },
  {
    name: "an event with a pending delivery is pruned",
    file: `${sql}/webhooks/prune.ts`,
    from: "and d.state = 'pending'",
    to: "and d.state = 'exhausted'",
    tests: conformance,
  },
  {
    name: "notification ids are forgotten after three days",
    file: `${sql}/purge.ts`,
    from: "const notificationLifetimeMs = 30 * dayMs;",
    to: "const notificationLifetimeMs = 3 * dayMs;",
    tests: conformance,
  },
  {
    name: "a consumer's cursor moves back",
    file: `${sql}/webhooks/consumers.ts`,
    from: "case when sequence > ${sequence} then sequence else ${sequence} end",
    to: "${sequence}",
    tests: conformance,
  },
  {
    name: "an erasure stops after the first page of events",
    file: `${sql}/erase-customer.ts`,
    from: "if (!last || page.length < eventsPerPage) return;",
    to: "if (!last || page.length <= eventsPerPage) return;",
    tests: ["payments/privacy.test.ts", ...conformance],
  },
  {
    name: "an erased customer keeps the uses of a coupon",
    file: `${sql}/erase-customer.ts`,
    from: `.deleteFrom("coupon_uses")`,
    to: `.deleteFrom("coupon_uses").where("used", "<", 0)`,
    tests: ["payments/privacy.test.ts", ...conformance],
  },
];
