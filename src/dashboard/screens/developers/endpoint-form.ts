import { eventTypes } from "../../../contract/events.ts";
import { html } from "../../../contract/html.ts";
import type { DashboardAction } from "../../../owner/actions.ts";
import { EndpointInput } from "../../../owner/webhooks/endpoint-input.ts";
import type { Endpoint } from "../../../owner/webhooks/shown-endpoint.ts";
import type { FormSpec } from "../../forms/form.ts";
import type { Values } from "../../forms/form-field.ts";
import { checkbox } from "../../forms/render-form.ts";
import type { StoreVisit } from "../../screen.ts";

/** Describes the form of an endpoint, which gets all events, or those that are ticked. */
export const endpointForm = (
  { language }: StoreVisit,
  { name, action }: { readonly name: string; readonly action: DashboardAction },
): FormSpec<typeof EndpointInput> => ({
  name,
  action,
  schema: EndpointInput,
  submit: name === "create" ? "endpoint_create" : "save",
  groups: [
    {
      title: null,
      fields: [
        {
          name: "url",
          label: "endpoint_url",
          hint: "endpoint_url_hint",
          kind: "text",
          type: "url",
        },
        { name: "description", label: "description", kind: "text" },
      ],
    },
    {
      title: null,
      fields: [
        {
          name: "event_types",
          label: "event_types",
          hint: "event_types_hint",
          kind: "own",
          show: (_visit, values) =>
            html`${checkbox("event_types-all", "event_types", {
              value: "*",
              label: language.say("event_types_all"),
              checked: values["event_types"]?.includes("*") ?? false,
            })}<div class="columns">${eventTypes.map((type, index) =>
              checkbox(`event_types-${index}`, "event_types", {
                value: type,
                label: type,
                checked: values["event_types"]?.includes(type) ?? false,
              }),
            )}</div>`,
          read(values: Values) {
            const chosen = values["event_types"] ?? [];
            if (chosen.includes("*")) return { value: "*" };
            return chosen.length === 0 ? { fault: "fault_event_types" } : { value: chosen };
          },
        },
      ],
    },
  ],
});

export const endpointValues = ({ url, description, event_types }: Endpoint): Values => ({
  url: [url],
  description: [description ?? ""],
  event_types: event_types === "*" ? ["*"] : event_types,
});
