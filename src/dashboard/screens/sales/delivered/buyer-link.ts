import { type Html, html } from "../../../../contract/html.ts";
import { dayMs } from "../../../../domain/durations.ts";
import type { OwnerOrder } from "../../../../owner/sales/orders.ts";
import { withRefusal } from "../../../forms/conflict.ts";
import { buttonForm, card, codeBox } from "../../../frame/elements.ts";
import type { ScreenForm, StoreVisit, View } from "../../../screen.ts";
import { findOrder } from "../order-parts.ts";

const action = "customers.page_link";

/** The longest time that a link to one order may have: the text beside it says so. */
const ttl_seconds = (14 * dayMs) / 1_000;

/** Gives the button that makes a link to the buyer's page. An unpaid order has none. */
export const buyerLinkButton = (visit: StoreVisit, { paid_at }: OwnerOrder): Html | null =>
  paid_at === null ? null : buttonForm(visit, { name: "buyer_link", action, label: "buyer_link" });

/** The form of the button. `show` renders the whole order, with the link where one was made. */
export const buyerLinkForm = (
  show: (visit: StoreVisit, link: Html | null) => Promise<View>,
): ScreenForm => ({
  action,
  send: withRefusal(
    {
      codes: ["invalid_option"],
      show: (visit) => show(visit, null),
      tell: ({ say }) => say("buyer_link_none"),
    },
    async (visit) => {
      const { parts, store, livemode, language } = visit;
      const { say } = language;
      const { id: order_id, customer } = await findOrder(visit);
      const order = { store_id: store.id, livemode, customer_id: customer.id, order_id };
      const { url } = await parts.owner.customers.pageLink({ ...order, ttl_seconds });

      const box = codeBox(visit, { id: "buyer-link", label: say("buyer_link"), value: url });
      const link = card(say("buyer_link_title"), html`<p>${say("buyer_link_text")}</p>${box}`);
      return { kind: "view", status: 200, view: await show(visit, link) };
    },
  ),
});
