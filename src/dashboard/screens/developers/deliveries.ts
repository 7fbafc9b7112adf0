import { fail } from "../../../contract/errors.ts";
import { type Html, html } from "../../../contract/html.ts";
import type { Delivery, DeliveryAttempt } from "../../../owner/webhooks/deliveries.ts";
import { deliveryStates } from "../../../rules/webhooks/webhook-records.ts";
import { inStore } from "../../addresses.ts";
import { timeTag } from "../../format.ts";
import { withRefusal } from "../../forms/conflict.ts";
import {
  badge,
  breakable,
  buttonForm,
  card,
  codeBox,
  facts,
  jsonBlock,
} from "../../frame/elements.ts";
import type { TextName } from "../../language.ts";
import { chips, type Filters, filtersOf, pinned } from "../../lists/filters.ts";
import { ageSortOf, dateHead, sortFilter } from "../../lists/sorts.ts";
import type { Screen, StoreVisit, View } from "../../screen.ts";
import { listBody, pageQuery } from "../lists.ts";

const tones = { pending: "warn", delivered: "good", exhausted: "bad", skipped: "plain" } as const;

export const deliveryBadge = ({ language }: StoreVisit, { state }: Pick<Delivery, "state">): Html =>
  badge(tones[state], language.say(`delivery_${state}`));

function tools(visit: StoreVisit, filters: Filters): Html {
  const { say } = visit.language;
  const options = [
    { value: "", label: say("filter_all_feminine") },
    ...deliveryStates.map((value) => ({ value, label: say(`delivery_${value}`) })),
  ];
  return html`${chips(visit, { filters, name: "state", label: "filter_state", options })}
${pinned(visit, filters, { name: "endpoint", label: "endpoint" })}`;
}

export const deliveriesScreen: Screen = {
  path: "deliveries",
  section: "deliveries",
  action: null,

  async show(visit) {
    const { parts, store, livemode, language } = visit;
    const { say } = language;
    const filters = filtersOf(visit, ["state", "endpoint", sortFilter]);
    const state = deliveryStates.find((name) => name === filters["state"]) ?? null;
    const filter = { state, endpoint_id: filters["endpoint"], sort: ageSortOf(filters) };
    const wanted = { store_id: store.id, livemode, ...filter };
    const [page, endpoints] = await Promise.all([
      parts.owner.deliveries.list({ ...wanted, ...pageQuery(visit) }),
      parts.owner.endpoints.list({ store_id: store.id, livemode }),
    ]);
    const urls = new Map(endpoints.map(({ id, url }) => [id, url]));

    const rows = page.data.map((delivery) => {
      const address = inStore(visit, ["deliveries", delivery.endpoint_id, delivery.event_id]);
      return [
        html`<a href="${address}">${breakable(delivery.event_type)}</a>
<small>${delivery.event_id}</small>`,
        breakable(urls.get(delivery.endpoint_id) ?? delivery.endpoint_id),
        String(delivery.attempts),
        timeTag(visit, delivery.created_at),
        deliveryBadge(visit, delivery),
      ];
    });
    const columns = [
      say("event"),
      say("endpoint"),
      say("attempts"),
      dateHead(visit, filters),
      say("state"),
    ];
    const caption = say("section_deliveries");
    const empty = { title: "deliveries_empty_title", text: "deliveries_empty_text" } as const;
    const list = { caption, columns, rows, page, filters, tools: tools(visit, filters), empty };
    return { title: caption, lead: say("deliveries_lead"), body: listBody(visit, list) };
  },
};

/** Shows what the receiver answered to an attempt. */
export const attemptBadge = ({ status, error }: DeliveryAttempt): Html =>
  error === null ? badge("good", String(status ?? "")) : badge("bad", String(status ?? error));

const errorTexts: Readonly<Record<string, TextName>> = {
  http_status: "send_http_status",
  timeout: "send_timeout",
  dns_error: "send_dns_error",
  connect_refused: "send_connect_refused",
  connection_reset: "send_connection_reset",
  tls_error: "send_tls_error",
  ssrf_blocked: "send_ssrf_blocked",
  redirect: "send_redirect",
  aborted: "send_aborted",
  worker_lost: "send_worker_lost",
};

/** Says in a sentence why an attempt failed. A host's transport may have errors of its own. */
function errorText({ language }: StoreVisit, error: string): string {
  const text = errorTexts[error];
  return text ? language.say(text) : error;
}

/** Shows what is sent to the endpoint. */
async function requestCard(visit: StoreVisit, delivery: Delivery, url: string): Promise<Html> {
  const { parts, language } = visit;
  const { store_id, livemode, event_id } = delivery;
  const { payload } = await parts.owner.events.retrieve({ store_id, livemode, id: event_id });
  const content =
    payload === null
      ? html`<p class="soft">${language.say("event_pruned")}</p>`
      : jsonBlock(payload);
  return html`<details class="card"><summary>${language.say("request_sent")}</summary>
<p><code>POST ${url}</code></p>${content}</details>`;
}

/** Shows one attempt: when it was made, and what came back. */
function attemptCard(visit: StoreVisit, attempt: DeliveryAttempt): Html {
  const { say } = visit.language;
  const body = attempt.snippet
    ? html`<p class="soft">${say("answer_body")}</p><pre>${attempt.snippet}</pre>`
    : null;
  return card(
    say("attempt_title", { number: String(attempt.attempt) }),
    html`${facts([
      [say("started_at"), timeTag(visit, attempt.started_at)],
      [say("duration"), `${Math.round(attempt.duration_ms)} ms`],
      [say("answer"), attemptBadge(attempt)],
      ...(attempt.error === null
        ? []
        : [[say("failure"), errorText(visit, attempt.error)] as const]),
    ])}${body}`,
  );
}

async function deliveryOf({ parts, store, livemode, params }: StoreVisit): Promise<Delivery> {
  const { endpoint_id = "", event_id = "" } = params;
  const wanted = { store_id: store.id, livemode, endpoint_id, event_id, limit: 1 };
  const [delivery] = (await parts.owner.deliveries.list(wanted)).data;
  return delivery ?? fail("resource_not_found", { param: "event_id" });
}

async function deliveryView(visit: StoreVisit): Promise<View> {
  const { parts, language } = visit;
  const { say } = language;
  const delivery = await deliveryOf(visit);
  const { store_id, livemode, endpoint_id, event_id } = delivery;
  const [attempts, endpoints] = await Promise.all([
    parts.owner.deliveries.attempts({ store_id, livemode, endpoint_id, event_id }),
    parts.owner.endpoints.list({ store_id, livemode }),
  ]);
  const url = endpoints.find(({ id }) => id === endpoint_id)?.url ?? endpoint_id;

  const about = facts([
    [
      say("event"),
      html`<a href="${inStore(visit, ["events", event_id])}">${breakable(delivery.event_type)}</a>`,
    ],
    [say("state"), deliveryBadge(visit, delivery)],
    [
      say("endpoint"),
      html`<a href="${inStore(visit, ["webhooks", endpoint_id])}">${breakable(url)}</a>`,
    ],
    [say("created_at"), timeTag(visit, delivery.created_at)],
    [
      say("next_attempt_at"),
      delivery.next_attempt_at === null ? "—" : timeTag(visit, delivery.next_attempt_at),
    ],
  ]);
  const event = { id: "event-id", label: say("id"), value: event_id };
  const newest = [...attempts].reverse().map((attempt) => attemptCard(visit, attempt));
  const cards = newest.length === 0 ? card(null, html`<p>${say("attempts_none")}</p>`) : newest;
  return {
    title: delivery.event_type,
    crumbs: [{ label: say("section_deliveries"), address: inStore(visit, ["deliveries"]) }],
    primary: buttonForm(visit, {
      name: "resend",
      action: "deliveries.resend",
      label: "resend",
      kind: "primary",
    }),
    body: html`<div class="cards">${card(null, html`${about}${codeBox(visit, event)}`)}
${cards}${await requestCard(visit, delivery, url)}</div>`,
  };
}

export const deliveryScreen: Screen = {
  path: "deliveries/{endpoint_id}/{event_id}",
  section: "deliveries",
  action: null,
  show: deliveryView,
  forms: {
    resend: {
      action: "deliveries.resend",
      send: withRefusal({ codes: ["invalid_transition"], show: deliveryView }, async (visit) => {
        const { store_id, livemode, endpoint_id, event_id } = await deliveryOf(visit);
        await visit.parts.owner.deliveries.resend({ store_id, livemode, endpoint_id, event_id });
        return { kind: "done", address: visit.path, message: "done_resent" };
      }),
    },
  },
};
