import { eventTypes } from "../../../contract/events.ts";
import { type Html, html } from "../../../contract/html.ts";
import type { Delivery } from "../../../owner/webhooks/deliveries.ts";
import type { OwnerEvent } from "../../../owner/webhooks/events.ts";
import { inStore } from "../../addresses.ts";
import { timeTag } from "../../format.ts";
import {
  breakable,
  card,
  codeArea,
  codeBox,
  facts,
  jsonBlock,
  table,
} from "../../frame/elements.ts";
import { filterForm, filtersOf, pinned, rangeFields, readRange } from "../../lists/filters.ts";
import { ageSortOf, dateHead, sortFilter } from "../../lists/sorts.ts";
import type { Screen, StoreVisit } from "../../screen.ts";
import { emptyPage, listBody, pageQuery } from "../lists.ts";
import { attemptBadge, deliveryBadge } from "./deliveries.ts";

export const eventsScreen: Screen = {
  path: "events",
  section: "events",
  action: null,

  async show(visit) {
    const { parts, store, livemode, language } = visit;
    const { say } = language;
    const filters = filtersOf(visit, ["type", "from", "to", "order", sortFilter]);
    const range = readRange(visit, filters);
    const type = eventTypes.find((name) => name === filters["type"]) ?? null;
    const order_id = filters["order"];
    const filter = { type, order_id, sort: ageSortOf(filters) };
    const wanted = { store_id: store.id, livemode, ...filter, ...pageQuery(visit) };
    const page =
      typeof range === "string"
        ? emptyPage
        : await parts.owner.events.list({ ...wanted, ...range });

    const rows = page.data.map((event) => [
      html`<a href="${inStore(visit, ["events", event.id])}">${event.type}</a>
<small>${event.id}</small>`,
      String(event.sequence),
      timeTag(visit, event.created_at),
    ]);
    const options = [
      { value: "", label: say("event_types_all") },
      ...eventTypes.map((value) => ({ value, label: value })),
    ];
    const caption = say("section_events");
    const body = listBody(visit, {
      caption,
      columns: [say("event"), say("sequence"), dateHead(visit, filters)],
      rows,
      page,
      filters,
      tools: html`${filterForm(visit, filters, [
        { name: "type", label: "type", kind: "choice", options },
        ...rangeFields,
      ])}${pinned(visit, filters, { name: "order", label: "order" })}`,
      fault: typeof range === "string" ? range : null,
      empty: { title: "events_empty_title", text: "events_empty_text" },
    });
    return { title: caption, lead: say("events_lead"), body };
  },
};

/** Puts a text in single quotes, where the quote is the only character that a shell reads. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Writes a command that sends the event, without a signature, to a receiver on this machine. */
const curlOf = ({ id, type, payload }: OwnerEvent): string =>
  [
    "curl -X POST http://localhost:3000/webhooks",
    `-H ${quoted("Content-Type: application/json")}`,
    `-H ${quoted(`X-Service-Event-Id: ${id}`)}`,
    `-H ${quoted(`X-Service-Event-Type: ${type}`)}`,
    `--data-raw ${quoted(JSON.stringify(payload))}`,
  ].join(" \\\n  ");

const maxDeliveries = 50;
/** The attempts of this many deliveries are shown. The others have them on pages of their own. */
const maxDetailed = 10;

/** Lists the deliveries of an event to its endpoints, and then their attempts. */
async function deliveryList(visit: StoreVisit, event_id: string): Promise<Html> {
  const { parts, store, livemode, language } = visit;
  const { say } = language;
  const partition = { store_id: store.id, livemode };
  const [{ data }, endpoints] = await Promise.all([
    parts.owner.deliveries.list({ ...partition, event_id, limit: maxDeliveries }),
    parts.owner.endpoints.list(partition),
  ]);
  const urls = new Map(endpoints.map(({ id, url }) => [id, url]));

  const rows = data.map((delivery) => {
    const address = inStore(visit, ["deliveries", delivery.endpoint_id, delivery.event_id]);
    const label = urls.get(delivery.endpoint_id) ?? delivery.endpoint_id;
    return [
      html`<a href="${address}">${breakable(label)}</a>`,
      String(delivery.attempts),
      deliveryBadge(visit, delivery),
    ];
  });
  if (rows.length === 0) return html`<p class="soft">${say("event_not_sent")}</p>`;

  const columns = [say("endpoint"), say("attempts"), say("state")];
  const attempts = await attemptList(visit, data.slice(0, maxDetailed), urls);
  return html`${table({ caption: say("section_deliveries"), columns, rows })}${attempts}`;
}

/** Lists the attempts of some deliveries, the newest first. */
async function attemptList(
  visit: StoreVisit,
  deliveries: readonly Delivery[],
  urls: ReadonlyMap<string, string>,
): Promise<Html | null> {
  const { say } = visit.language;
  const found = await Promise.all(
    deliveries.map(async ({ store_id, livemode, endpoint_id, event_id }) => {
      const delivery = { store_id, livemode, endpoint_id, event_id };
      const attempts = await visit.parts.owner.deliveries.attempts(delivery);
      return attempts.map((attempt) => ({ endpoint_id, attempt }));
    }),
  );
  const newest = found
    .flat()
    .sort((a, b) => Date.parse(b.attempt.started_at) - Date.parse(a.attempt.started_at));
  if (newest.length === 0) return null;

  const rows = newest.map(({ endpoint_id, attempt }) => [
    timeTag(visit, attempt.started_at),
    breakable(urls.get(endpoint_id) ?? endpoint_id),
    String(attempt.attempt),
    `${Math.round(attempt.duration_ms)} ms`,
    attemptBadge(attempt),
  ]);
  const columns = [
    say("started_at"),
    say("endpoint"),
    say("attempt"),
    say("duration"),
    say("answer"),
  ];
  return html`<h3>${say("attempts")}</h3>${table({ caption: say("attempts"), columns, rows })}`;
}

export const eventScreen: Screen = {
  path: "events/{id}",
  section: "events",
  action: null,

  async show(visit) {
    const { parts, store, livemode, params, language } = visit;
    const { say } = language;
    const reference = { store_id: store.id, livemode, id: params["id"] ?? "" };
    const event = await parts.owner.events.retrieve(reference);

    const about = facts([
      [say("created_at"), timeTag(visit, event.created_at)],
      [say("sequence"), String(event.sequence)],
    ]);
    const id = codeBox(visit, { id: "event-id", label: say("id"), value: event.id });
    const payload =
      event.payload === null
        ? html`<p class="soft">${say("event_pruned")}</p>`
        : jsonBlock(event.payload);
    const curl = codeArea(visit, { id: "curl", label: say("event_curl"), value: curlOf(event) });
    const sent = await deliveryList(visit, event.id);
    return {
      title: event.type,
      crumbs: [{ label: say("section_events"), address: inStore(visit, ["events"]) }],
      body: html`<div class="cards">${card(null, html`${about}${id}`)}
${card(say("section_deliveries"), sent)}
${card(say("event_payload"), payload)}
${
  event.payload === null
    ? null
    : card(say("event_curl_title"), html`<p class="soft">${say("event_curl_text")}</p>${curl}`)
}</div>`,
    };
  },
};
