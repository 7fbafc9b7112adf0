import { type Html, html } from "../../../contract/html.ts";
import type { Endpoint } from "../../../owner/webhooks/shown-endpoint.ts";
import { inStore } from "../../addresses.ts";
import { withRefusal } from "../../forms/conflict.ts";
import { card, hidden, notice, screenForm } from "../../frame/elements.ts";
import {
  type Filters,
  filterForm,
  filtersOf,
  rangeFields,
  readRange,
} from "../../lists/filters.ts";
import type { Screen, StoreVisit, View } from "../../screen.ts";
import { webhookCrumbs } from "./webhooks.ts";

/** Deliveries that were given up or skipped are sent again. */
const states = ["exhausted", "skipped"] as const;
const perPage = 100;
const mostPages = 10;

/** A span of epoch milliseconds, both ends included. */
interface Span {
  readonly since: number;
  readonly until: number;
}

/** Reads the days of a form. Gives null when the first day is missing. */
function spanOf(visit: StoreVisit, filters: Filters): Span | "fault_order" | null {
  const range = readRange(visit, filters);
  if (typeof range === "string") return "fault_order";
  if (range.created_from === undefined) return null;
  const now = visit.parts.now();
  const end = range.created_to === undefined ? now : range.created_to - 1;
  return { since: range.created_from, until: Math.min(end, now) };
}

const find = ({ parts, store, livemode, params }: StoreVisit): Promise<Endpoint> =>
  parts.owner.endpoints.retrieve({ store_id: store.id, livemode }, params["id"] ?? "");

/** Counts the deliveries that would be sent again. It reads at most 1,000 of each state. */
async function countIn(
  { parts, store, livemode }: StoreVisit,
  { id: endpoint_id }: Endpoint,
  { since, until }: Span,
): Promise<{ readonly count: number; readonly isMore: boolean }> {
  let count = 0;
  let isMore = false;
  for (const state of states) {
    let starting_after: string | null = null;
    for (let pages = 0; pages < mostPages; pages += 1) {
      const query = { store_id: store.id, livemode, endpoint_id, state, limit: perPage };
      const page: Awaited<ReturnType<typeof parts.owner.deliveries.list>> =
        await parts.owner.deliveries.list({ ...query, starting_after });
      const times = page.data.map(({ created_at }) => Date.parse(created_at));
      count += times.filter((time) => time >= since && time <= until).length;
      starting_after = page.next_cursor;

      // The list begins with the newest delivery, so none after this one counts.
      if (!page.has_more || (times.at(-1) ?? 0) < since) break;
      if (pages === mostPages - 1) isMore = true;
    }
  }
  return { count, isMore };
}

/** Shows how many deliveries will be sent, and asks once. */
async function question(visit: StoreVisit, endpoint: Endpoint, filters: Filters): Promise<Html> {
  const { say, sayCount } = visit.language;
  const span = spanOf(visit, filters);
  if (span === "fault_order") return notice("bad", say("fault_order"));
  if (span === null) return html``;

  const { count, isMore } = await countIn(visit, endpoint, span);
  if (count === 0 && !isMore) return notice("plain", say("endpoint_resend_none"));
  const shown = `${count}${isMore ? "+" : ""}`;
  const text = sayCount("endpoint_resend_question", count, { count: shown });
  const fields = Object.entries(filters).map(([name, value]) => hidden(name, value));
  const body = html`${fields}<div class="actions">
<button class="button primary">${say("resend")}</button>
<a class="button" href="${inStore(visit, ["webhooks", endpoint.id])}">${say("cancel")}</a></div>`;
  return card(null, html`<p>${text}</p>${screenForm(visit, { name: "confirm", body })}`);
}

async function resendView(visit: StoreVisit, filters: Filters): Promise<View> {
  const { say } = visit.language;
  const endpoint = await find(visit);
  const address = inStore(visit, ["webhooks", endpoint.id]);
  const isOff = endpoint.state === "disabled";
  const body = isOff
    ? notice("warn", say("endpoint_resend_off"))
    : html`${card(
        null,
        html`<p>${say("endpoint_resend_text")}</p>
${filterForm(visit, filters, rangeFields)}`,
      )}${await question(visit, endpoint, filters)}`;
  return {
    title: say("endpoint_resend"),
    crumbs: [...webhookCrumbs(visit), { label: endpoint.url, address }],
    body,
  };
}

const sentFilters = (visit: StoreVisit, fields: URLSearchParams): Filters =>
  filtersOf({ ...visit, query: fields }, ["from", "to"]);

const sentView = (visit: StoreVisit, fields: URLSearchParams): Promise<View> =>
  resendView(visit, sentFilters(visit, fields));

/** Sends again what an endpoint has missed in a range of days. */
export const resendScreen: Screen = {
  path: "webhooks/{id}/resend",
  section: "webhooks",
  action: "deliveries.resend",
  show: async (visit) => resendView(visit, filtersOf(visit, ["from", "to"])),
  forms: {
    confirm: {
      action: "deliveries.resend",
      send: withRefusal(
        { codes: ["invalid_transition"], show: sentView },
        async (visit, fields) => {
          const span = spanOf(visit, sentFilters(visit, fields));
          if (span === null || span === "fault_order")
            return { kind: "view", status: 422, view: await sentView(visit, fields) };

          const { store_id, livemode, id } = await find(visit);
          await visit.parts.owner.endpoints.recover({ store_id, livemode }, id, span);
          const address = inStore(visit, ["webhooks", id]);
          return { kind: "done", address, message: "done_resent" };
        },
      ),
    },
  },
};
