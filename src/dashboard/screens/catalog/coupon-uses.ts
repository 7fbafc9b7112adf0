import { type Html, html } from "../../../contract/html.ts";
import type { OwnerCoupon } from "../../../owner/catalog/coupons.ts";
import { amountText, timeTag } from "../../format.ts";
import { card, table } from "../../frame/elements.ts";
import { filtersOf } from "../../lists/filters.ts";
import { ageSortOf, dateHead, sortFilter } from "../../lists/sorts.ts";
import type { StoreVisit } from "../../screen.ts";
import { pageQuery, pager } from "../lists.ts";
import { buyerName } from "../sales/customer-parts.ts";
import { orderBadge, orderLink } from "../sales/order-parts.ts";

/** Shows the orders that use a coupon, the newest first, or the oldest. */
export async function couponUses(visit: StoreVisit, { id }: OwnerCoupon): Promise<Html> {
  const { parts, store, livemode, language } = visit;
  const { say } = language;
  const filters = filtersOf(visit, [sortFilter]);
  const own = { store_id: store.id, livemode, coupon_id: id, sort: ageSortOf(filters) };
  const query = { ...own, ...pageQuery(visit) };
  const page = await parts.owner.coupons.uses(query);

  const rows = page.data.map((use) => [
    orderLink(visit, { id: use.order_id, number: use.order_number }),
    buyerName(visit, use.customer),
    timeTag(visit, use.created_at),
    orderBadge(visit, use.order_status),
    amountText(visit, -use.amount_discount, use.currency),
  ]);
  const columns = ["order", "customer", "created_at", "state", "discount"] as const;
  const title = say("coupon_uses");
  const list = table({
    caption: title,
    columns: columns.map((name) => (name === "created_at" ? dateHead(visit, filters) : say(name))),
    rows,
    amounts: columns.length - 1,
  });
  return card(
    title,
    rows.length === 0
      ? html`<p class="soft">${say("coupon_uses_none")}</p>`
      : html`${list}${pager(visit, page, filters)}`,
  );
}
