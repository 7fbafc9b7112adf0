import { type Html, html } from "../../../contract/html.ts";
import type { Endpoint } from "../../../owner/webhooks/shown-endpoint.ts";
import { inStore } from "../../addresses.ts";
import { timeTag } from "../../format.ts";
import { type FormState, storedForm, typedForm } from "../../forms/form.ts";
import { renderForm } from "../../forms/render-form.ts";
import {
  actionLink,
  buttonForm,
  card,
  codeBox,
  facts,
  notice,
  type Tone,
} from "../../frame/elements.ts";
import type { TextName } from "../../language.ts";
import {
  type FormResult,
  partitionOf,
  type Screen,
  type StoreVisit,
  type View,
} from "../../screen.ts";
import { historyCard } from "../../sentences/history.ts";
import { confirmScreen } from "../confirm.ts";
import { endpointForm, endpointValues } from "./endpoint-form.ts";
import { endpointState, secretView, webhookCrumbs } from "./webhooks.ts";

const idOf = ({ params }: StoreVisit): string => params["id"] ?? "";

const find = (visit: StoreVisit): Promise<Endpoint> =>
  visit.parts.owner.endpoints.retrieve(partitionOf(visit), idOf(visit));

const editForm = (visit: StoreVisit) =>
  endpointForm(visit, { name: "save", action: "endpoints.update" });

/** Shows the endpoint's buttons, and beside each what happens. */
function operations(visit: StoreVisit, endpoint: Endpoint): Html {
  const address = (step: string): string => inStore(visit, ["webhooks", endpoint.id, step]);
  const isOn = endpoint.state === "enabled";
  const state = isOn
    ? actionLink(visit, "endpoints.disable", { label: "disable", address: address("disable") })
    : buttonForm(visit, { name: "enable", action: "endpoints.enable", label: "enable", kind: "" });

  const remove = actionLink(visit, "endpoints.delete", {
    label: "delete",
    address: address("delete"),
    kind: "danger",
  });
  const test = {
    name: "test",
    action: "endpoints.test",
    label: "endpoint_test",
    kind: "",
  } as const;
  const rotate = { label: "endpoint_rotate", address: address("rotate") } as const;
  const isOwn = endpoint.agent === null;
  return html`<div class="actions">
${isOwn ? buttonForm(visit, test) : null}
${actionLink(visit, "deliveries.resend", { label: "endpoint_resend", address: address("resend") })}
${isOwn ? actionLink(visit, "endpoints.rotate", rotate) : null}
${state}
${remove}
</div>`;
}

interface Shown {
  readonly state: FormState;
  readonly result?: Html | null;
}

async function endpointView(
  visit: StoreVisit,
  endpoint: Endpoint,
  { state, result }: Shown,
): Promise<View> {
  const { say } = visit.language;
  const deliveries = inStore(visit, ["deliveries"], { endpoint: endpoint.id });
  const about = facts([
    [say("state"), endpointState(visit, endpoint)],
    [say("created_at"), timeTag(visit, endpoint.created_at)],
    ...(endpoint.agent === null ? [] : [[say("sold_by_agent"), endpoint.agent] as const]),
    [say("section_deliveries"), html`<a href="${deliveries}">${say("deliveries_show")}</a>`],
  ]);
  const isFailing = endpoint.disabled_reason === "failing";
  const isOwn = endpoint.agent === null;
  const form = isOwn ? renderForm(visit, editForm(visit), state) : null;
  const agent = isOwn ? null : notice("plain", say("endpoint_agent"));
  return {
    title: endpoint.url,
    crumbs: webhookCrumbs(visit),
    body: html`${result ?? null}${isFailing ? notice("bad", say("endpoint_failing")) : null}
${card(null, html`${about}${operations(visit, endpoint)}`)}
${form}${agent}
${card(say("more"), codeBox(visit, { id: "endpoint-id", label: say("id"), value: endpoint.id }))}
${await historyCard(visit, { type: "endpoint", id: endpoint.id })}`,
  };
}

const fresh = (visit: StoreVisit, endpoint: Endpoint, result: Html | null = null) =>
  endpointView(visit, endpoint, { state: storedForm(endpointValues(endpoint)), result });

/** Sends a test event and shows what the receiver answered. */
async function sendTest(visit: StoreVisit): Promise<FormResult> {
  const { say } = visit.language;
  const endpoint = await find(visit);
  const sent = await visit.parts.owner.endpoints.sendTestEvent(partitionOf(visit), endpoint.id);

  const tone: Tone = sent.ok ? "good" : "bad";
  const answer = say(sent.ok ? "test_accepted" : "test_refused", {
    status: String(sent.status ?? sent.error ?? "—"),
    ms: String(Math.round(sent.duration_ms)),
  });
  const snippet = sent.snippet ? html`<pre>${sent.snippet}</pre>` : null;
  const result = html`<div class="notice ${tone}" role="status"><p>${answer}</p>${snippet}</div>`;
  return { kind: "view", status: 200, view: await fresh(visit, endpoint, result) };
}

const done = (visit: StoreVisit, message: TextName): FormResult => ({
  kind: "done",
  address: inStore(visit, ["webhooks", idOf(visit)]),
  message,
});

export const endpointScreen: Screen = {
  path: "webhooks/{id}",
  section: "webhooks",
  action: null,
  show: async (visit) => fresh(visit, await find(visit)),
  forms: {
    save: typedForm({
      action: "endpoints.update",
      find,
      spec: editForm,
      show: (visit, endpoint, state) => endpointView(visit, endpoint, { state }),
      stored: (_visit, endpoint) => endpointValues(endpoint),
      async work(visit, endpoint, { url, description, event_types }) {
        const changes = { url, description, event_types: event_types ?? "*" };
        const { owner } = visit.parts;
        await owner.endpoints.update(partitionOf(visit), endpoint.id, changes, {
          expected: endpoint,
        });
        return done(visit, "done_saved");
      },
    }),
    test: { action: "endpoints.test", send: sendTest },
    enable: {
      action: "endpoints.enable",
      async send(visit) {
        await visit.parts.owner.endpoints.enable(partitionOf(visit), idOf(visit));
        return done(visit, "done_enabled");
      },
    },
  },
};

interface EndpointQuestion {
  readonly step: string;
  readonly action: "endpoints.disable" | "endpoints.rotate" | "endpoints.delete";
  readonly title: TextName;
  readonly text: TextName;
  readonly button: TextName;
  run(visit: StoreVisit): Promise<FormResult>;
}

const question = ({ step, action, title, text, button, run }: EndpointQuestion): Screen =>
  confirmScreen({
    path: `webhooks/{id}/${step}`,
    section: "webhooks",
    action,
    async ask(visit) {
      const { url } = await find(visit);
      const { say } = visit.language;
      const back = inStore(visit, ["webhooks", idOf(visit)]);
      const crumbs = [...webhookCrumbs(visit), { label: url, address: back }];
      return { title: say(title), text: say(text, { url }), button, crumbs, back };
    },
    run,
  });

export const endpointQuestions: readonly Screen[] = [
  question({
    step: "disable",
    action: "endpoints.disable",
    title: "endpoint_disable_title",
    text: "endpoint_disable_text",
    button: "disable",
    async run(visit) {
      await visit.parts.owner.endpoints.disable(partitionOf(visit), idOf(visit));
      return done(visit, "done_disabled");
    },
  }),
  question({
    step: "rotate",
    action: "endpoints.rotate",
    title: "endpoint_rotate_title",
    text: "endpoint_rotate_text",
    button: "endpoint_rotate",
    async run(visit) {
      const { owner } = visit.parts;
      const { id, secret } = await owner.endpoints.rotateSecret(partitionOf(visit), idOf(visit));
      const lead = visit.language.say("secret_rotated");
      return { kind: "view", status: 200, view: secretView(visit, { id, secret, lead }) };
    },
  }),
  question({
    step: "delete",
    action: "endpoints.delete",
    title: "endpoint_delete_title",
    text: "endpoint_delete_text",
    button: "delete",
    async run(visit) {
      await visit.parts.owner.endpoints.delete(partitionOf(visit), idOf(visit));
      return { kind: "done", address: inStore(visit, ["webhooks"]), message: "done_deleted" };
    },
  }),
];
