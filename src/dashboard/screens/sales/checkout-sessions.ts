import { html } from "../../../contract/html.ts";
import type { OwnerSession } from "../../../owner/sales/sessions.ts";
import { sessionStatuses } from "../../../rules/owner/list-records.ts";
import { amountText, timeTag } from "../../format.ts";
import { badge, breakable } from "../../frame/elements.ts";
import { chips, filterForm, filtersOf, rangeFields, readRange } from "../../lists/filters.ts";
import { ageSortOf, dateHead, sortFilter } from "../../lists/sorts.ts";
import type { Screen, StoreVisit } from "../../screen.ts";
import { emptyPage, listBody, pageQuery } from "../lists.ts";
import { orderLink } from "./order-parts.ts";

const tones = { open: "warn", complete: "good", expired: "plain" } as const;

const goodsOf = ({ line_items }: OwnerSession): string =>
  line_items
    .map(({ name, quantity }) => (quantity === 1 ? name : `${quantity} × ${name}`))
    .join(", ");

const buyerOf = ({ customer, customer_id }: OwnerSession): string =>
  customer.email ?? customer.discord_id ?? customer_id ?? "—";

const rowOf = (visit: StoreVisit, session: OwnerSession) => [
  html`<strong>${goodsOf(session)}</strong><small>${session.id}</small>`,
  breakable(buyerOf(session)),
  timeTag(visit, session.created_at),
  badge(tones[session.status], visit.language.say(`session_${session.status}`)),
  session.order === null ? "—" : orderLink(visit, session.order),
  amountText(visit, session.amount_total, session.currency),
];

export const checkoutSessionsScreen: Screen = {
  path: "checkout-sessions",
  section: "checkout_sessions",
  action: null,

  async show(visit) {
    const { parts, store, livemode, language } = visit;
    const { say } = language;
    const filters = filtersOf(visit, ["status", "from", "to", sortFilter]);
    const range = readRange(visit, filters);
    const status = sessionStatuses.find((name) => name === filters["status"]) ?? null;
    const sort = ageSortOf(filters);
    const wanted = { store_id: store.id, livemode, status, sort, ...pageQuery(visit) };
    const page =
      typeof range === "string"
        ? emptyPage
        : await parts.owner.sessions.list({ ...wanted, ...range });

    const options = [
      { value: "", label: say("filter_all_feminine") },
      ...sessionStatuses.map((value) => ({ value, label: say(`session_${value}`) })),
    ];
    const caption = say("section_checkout_sessions");
    const columns = ["goods", "customer", "created_at", "state", "order", "total"] as const;
    const body = listBody(visit, {
      caption,
      columns: columns.map((name) =>
        name === "created_at" ? dateHead(visit, filters) : say(name),
      ),
      rows: page.data.map((session) => rowOf(visit, session)),
      amounts: 5,
      page,
      filters,
      tools: html`${filterForm(visit, filters, rangeFields)}
${chips(visit, { filters, name: "status", label: "filter_state", options })}`,
      fault: typeof range === "string" ? range : null,
      empty: { title: "sessions_empty_title", text: "sessions_empty_text" },
    });
    return { title: caption, lead: say("checkout_sessions_lead"), body };
  },
};
