import { eventTypes } from "../../../contract/events.ts";
import { type Html, html } from "../../../contract/html.ts";
import type { Endpoint } from "../../../owner/webhooks/shown-endpoint.ts";
import { inStore } from "../../addresses.ts";
import { type FormState, freshForm, nothingYet, typedForm } from "../../forms/form.ts";
import { renderForm } from "../../forms/render-form.ts";
import { actionLink, badge, codeBox, emptyList, notice, table } from "../../frame/elements.ts";
import { wholeList } from "../../lists/whole-lists.ts";
import type { Crumb, Screen, StoreVisit, View } from "../../screen.ts";
import { endpointForm } from "./endpoint-form.ts";

export const webhookCrumbs = (visit: StoreVisit): readonly Crumb[] => [
  { label: visit.language.say("section_webhooks"), address: inStore(visit, ["webhooks"]) },
];

export const endpointState = ({ language }: StoreVisit, endpoint: Endpoint): Html => {
  if (endpoint.state === "enabled") return badge("good", language.say("state_on"));
  return endpoint.disabled_reason === "failing"
    ? badge("bad", language.say("state_failing"))
    : badge("plain", language.say("state_off"));
};

export const webhooksScreen: Screen = {
  path: "webhooks",
  section: "webhooks",
  action: null,

  async show(visit) {
    const { parts, store, livemode, language } = visit;
    const { say } = language;
    const endpoints = await parts.owner.endpoints.list({ store_id: store.id, livemode });
    const create = parts.hasTransport
      ? actionLink(visit, "endpoints.create", {
          label: "endpoint_create",
          address: inStore(visit, ["webhooks", "new"]),
          kind: "primary",
        })
      : null;

    const { columns, rows: sorted } = wholeList(visit, endpoints, {
      url: { label: say("endpoint_url"), keyOf: ({ url }) => url },
      types: {
        label: say("event_types"),
        keyOf: ({ event_types: types }) => (types === "*" ? eventTypes.length : types.length),
      },
      state: {
        label: say("state"),
        keyOf: ({ state, disabled_reason }) => [state, disabled_reason].join(),
      },
    });
    const rows = sorted.map((endpoint) => [
      html`<a href="${inStore(visit, ["webhooks", endpoint.id])}">${endpoint.url}</a>
<small>${endpoint.description ?? ""}</small>`,
      endpoint.event_types === "*" ? say("event_types_all") : String(endpoint.event_types.length),
      endpointState(visit, endpoint),
    ]);
    const list =
      rows.length === 0
        ? emptyList(say("webhooks_empty_title"), say("webhooks_empty_text"), create)
        : table({ caption: say("section_webhooks"), columns, rows });
    return {
      title: say("section_webhooks"),
      primary: rows.length === 0 ? null : create,
      body: html`${parts.hasTransport ? null : notice("warn", say("no_transport"))}${list}`,
    };
  },
};

const newView = (visit: StoreVisit, state: FormState): View => ({
  title: visit.language.say("endpoint_create"),
  crumbs: webhookCrumbs(visit),
  body: renderForm(visit, createForm(visit), state),
});

const createForm = (visit: StoreVisit) =>
  endpointForm(visit, { name: "create", action: "endpoints.create" });

/** A secret stands in this answer alone: no address shows it again. */
export const secretView = (
  visit: StoreVisit,
  { id, secret, lead }: { readonly id: string; readonly secret: string; readonly lead: string },
): View => {
  const { say } = visit.language;
  const address = inStore(visit, ["webhooks", id]);
  return {
    title: say("secret_title"),
    crumbs: webhookCrumbs(visit),
    body: html`${notice("warn", say("secret_once"))}
<div class="card"><p>${lead}</p>
${codeBox(visit, { id: "secret", label: say("secret"), value: secret })}</div>
<div class="actions"><a class="button primary" href="${address}">${say("secret_kept")}</a></div>`,
  };
};

export const newEndpointScreen: Screen = {
  path: "webhooks/new",
  section: "webhooks",
  action: "endpoints.create",
  show: async (visit) => newView(visit, freshForm({ event_types: ["*"] })),
  forms: {
    create: typedForm({
      action: "endpoints.create",
      find: nothingYet,
      spec: createForm,
      show: (visit, _row, state) => newView(visit, state),
      async work(visit, _row, input) {
        const { parts, store, livemode, language } = visit;
        const own = { ...input, store_id: store.id, livemode };
        const { id, secret } = await parts.owner.endpoints.create(own);
        const lead = language.say("secret_new");
        return { kind: "view", status: 200, view: secretView(visit, { id, secret, lead }) };
      },
    }),
  },
};
