import { compareTexts } from "../../domain/sort.ts";
import type { AuditRecord } from "../../rules/audit/audit-records.ts";
import type {
  DashboardLinkRecord,
  DashboardSessionRecord,
} from "../../rules/owner/dashboard-records.ts";
import { type CustomerRow, spentIn } from "../../rules/owner/order-search.ts";
import type { CouponRecord } from "../../rules/records.ts";
import type { AuditQuery } from "../../storage/audit-store.ts";
import type { CustomerQuery } from "../../storage/back-office-store.ts";
import type { DashboardStore } from "../../storage/dashboard-store.ts";
import type { CouponQuery } from "../../storage/types.ts";
import { afterId, by, has, isCreatedIn, pageOf } from "../page.ts";

// Each function selects from all rows of a kind, for a storage that holds them in memory.

/** Selects the entries of the audit log, the newest first. */
export function selectAudit(
  entries: Iterable<AuditRecord>,
  query: AuditQuery,
): readonly AuditRecord[] {
  const { store_id, actor, action, subject } = query;
  const found = [...entries].filter(
    (entry) =>
      entry.store_id === store_id &&
      (actor === undefined || entry.actor === actor) &&
      (action === undefined || entry.action === action) &&
      (subject === undefined || has(entry.subject, subject)) &&
      isCreatedIn(query, entry),
  );
  return pageOf(found, by("-created_at", "-id"), query);
}

/** Gives a row of the dashboard, or null for one that is past its time. */
export const unlessPast = <Row extends { readonly expires_at: number }>(
  row: Row | null | undefined,
  now: number,
): Row | null => (row && row.expires_at > now ? row : null);

/** Selects the links of a store that still open the dashboard, the newest first. */
export function selectLinks(
  links: Iterable<DashboardLinkRecord>,
  { store_id, ...page }: Parameters<DashboardStore["listLinks"]>[0],
  now: number,
): readonly DashboardLinkRecord[] {
  const open = [...links].filter((link) => link.store_id === store_id && unlessPast(link, now));
  return pageOf(open, by("-created_at", "+link_hash"), page);
}

/** Selects from all customers of a store and mode. */
export function selectCustomers(
  customers: readonly CustomerRow[],
  query: CustomerQuery,
): readonly CustomerRow[] {
  if ("ids" in query) return customers.filter(({ id }) => query.ids.includes(id));
  const sign = query.descending ? "-" : "+";
  if (!("spent_in" in query))
    return pageOf(customers, by(`${sign}id`), { ...query, after: afterId(query.after) });

  const rows = customers.flatMap((customer) => {
    const spent = spentIn(customer, query.spent_in);
    return spent === null ? [] : [{ id: customer.id, spent, customer }];
  });
  return pageOf(rows, by(`${sign}spent`, `${sign}id`), query).map(({ customer }) => customer);
}

/** Selects the coupons of a store, by id or by code. */
export function selectCoupons(
  coupons: Iterable<CouponRecord>,
  { by: column, after, descending, limit }: CouponQuery,
): readonly CouponRecord[] {
  const field: keyof CouponKey = column ?? "id";
  const sign = descending ? -1 : 1;
  const compare = (one: CouponKey, other: CouponKey): number =>
    sign * compareTexts(one[field] ?? "", other[field] ?? "");
  return pageOf(coupons, compare, { after: after === null ? null : { [field]: after }, limit });
}

type CouponKey = Partial<Pick<CouponRecord, "id" | "code">>;

const maxSessions = 100;

/** Selects the sign-ins of a store that last, or its people, the newest first. */
export function selectSignIns(
  sessions: Iterable<DashboardSessionRecord>,
  { store_id, of }: { readonly store_id: string; readonly of?: "people" | undefined },
  now: number,
): readonly DashboardSessionRecord[] {
  const open = [...sessions].filter(
    (row) => row.store_id === store_id && !row.person === !of && unlessPast(row, now),
  );
  return pageOf(open, by("-created_at", "+session_hash"), { limit: maxSessions });
}
