import { html } from "../../../contract/html.ts";
import { disputeSorts } from "../../../owner/sales/disputes.ts";
import { disputeStatuses } from "../../../rules/owner/list-records.ts";
import { amountText, timeTag } from "../../format.ts";
import type { Head } from "../../frame/elements.ts";
import { chips, type Filters, filtersOf } from "../../lists/filters.ts";
import { dateHead, sortFilter, sortHead } from "../../lists/sorts.ts";
import type { Screen, StoreVisit } from "../../screen.ts";
import { csvDownload, csvFormat, csvLink } from "../exports.ts";
import { listBody, pageQuery } from "../lists.ts";
import { disputeBadge, disputeText } from "./money-badges.ts";
import { orderLink } from "./order-parts.ts";

/** Reads the filters. Only open disputes are sorted by the time for an answer. */
function readFilters(visit: StoreVisit): Filters {
  const filters = filtersOf(visit, ["status", sortFilter]);
  const { [sortFilter]: sort = "", ...others } = filters;
  return sort.endsWith("due_by") && filters["status"] !== "open" ? others : filters;
}

/** Sorts by the time for an answer, in the list of open disputes and on the way to it. */
function dueHead(visit: StoreVisit, filters: Filters): string | Head {
  const label = visit.language.say("due_by");
  const { status = "open" } = filters;
  if (status !== "open") return label;
  const orders = ["due_by", "-due_by"] as const;
  return sortHead(visit, { ...filters, status }, { label, orders, ascending: "due_by" });
}

/** Reads the query of the address, for the list and for its file. */
const queryOf = ({ store, livemode }: StoreVisit, filters: Filters) => ({
  store_id: store.id,
  livemode,
  status: disputeStatuses.find((name) => name === filters["status"]) ?? null,
  sort: disputeSorts.find((name) => name === filters[sortFilter]) ?? null,
});

export const disputesDownload = csvDownload("disputes", async (visit) => {
  const query = { ...queryOf(visit, readFilters(visit)), ...csvFormat };
  return visit.parts.owner.export("disputes", query);
});

export const disputesScreen: Screen = {
  path: "disputes",
  section: "disputes",
  action: null,

  async show(visit) {
    const { parts, language } = visit;
    const { say } = language;
    const filters = readFilters(visit);
    const query = { ...queryOf(visit, filters), ...pageQuery(visit) };
    const page = await parts.owner.disputes.list(query);

    const rows = page.data.map((dispute) => {
      const { order_id: id, order_number: number, due_by } = dispute;
      return [
        html`${orderLink(visit, { id, number })}<small>${dispute.reference}</small>`,
        disputeText(visit, dispute.reason) ?? "—",
        due_by === null ? "—" : timeTag(visit, due_by),
        timeTag(visit, dispute.created_at),
        disputeBadge(visit, dispute.status),
        amountText(visit, dispute.amount, dispute.currency),
      ];
    });
    const options = [
      { value: "", label: say("filter_all_feminine") },
      ...disputeStatuses.map((value) => ({ value, label: say(`dispute_${value}`) })),
    ];
    const caption = say("section_disputes");
    const columns = ["order", "reason", "due_by", "created_at", "state", "amount"] as const;
    const body = listBody(visit, {
      caption,
      columns: columns.map((name) => {
        if (name === "due_by") return dueHead(visit, filters);
        return name === "created_at" ? dateHead(visit, filters) : say(name);
      }),
      rows,
      amounts: 5,
      page,
      filters,
      tools: chips(visit, { filters, name: "status", label: "filter_state", options }),
      download: csvLink(visit, "disputes", filters),
      empty: { title: "disputes_empty_title", text: "disputes_empty_text" },
    });
    return { title: caption, lead: say("disputes_lead"), body };
  },
};
