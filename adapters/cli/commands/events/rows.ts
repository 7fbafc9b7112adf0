import { eventTypes } from "#core/contract/events.ts";
import { deliveryStates } from "#core/rules/webhooks/webhook-records.ts";
import type { ArgumentRow, CommandRow, OptionRow } from "../../frame/command.ts";
import { paging } from "../../frame/shared-options.ts";

const types: OptionRow = { flags: "--types <types...>", text: "only these event types" };
const since: OptionRow = {
  flags: "--since <event>",
  text: "begin behind this event; `start` begins with the first one",
  params: ["starting_after"],
};

const event: ArgumentRow = { name: "<id>", text: "the event", params: ["id", "event_id"] };

/** Commands about events and requests. */
export const eventRows: readonly CommandRow[] = [
  {
    name: "listen",
    summary: "Forward events to your machine, signed like the real thing.",
    ways: ["url"],
    about: "store",
    options: [{ flags: "--forward-to <url>", text: "the receiver", required: true }, types, since],
    example:
      "vitrine listen --url http://localhost:3000/v1 --forward-to http://localhost:4000/hook",
    load: () => import("./listen.ts"),
  },
  {
    name: "trigger",
    summary: "Make an event happen, through the sandbox, on real test objects.",
    ways: ["config"],
    about: "store",
    arguments: [
      {
        name: "<type>",
        text: "the event type; subscription.renewal_upcoming moves the test clock to its day",
        choices: eventTypes,
      },
    ],
    options: [{ flags: "--order <id>", text: "act on this order" }],
    example: "vitrine trigger order.paid",
    load: () => import("./trigger.ts"),
  },
  {
    name: "events tail",
    summary: "Show events as they are written.",
    ways: ["url"],
    about: "store",
    options: [types, since],
    example: "vitrine events tail --url https://api.example.com/v1 --types order.paid",
    load: () => import("./tail.ts"),
  },
  {
    name: "events show",
    summary: "Show an event, and how its deliveries went.",
    ways: ["config"],
    about: "store",
    arguments: [event],
    example: "vitrine events show evt_…",
    load: () => import("./show.ts"),
  },
  {
    name: "events resend",
    summary: "Send an event once more, to its endpoints and to vitrine listen.",
    ways: ["config"],
    about: "store",
    changes: "Send the event again",
    arguments: [event],
    options: [
      { flags: "--endpoint <id>", text: "only to this endpoint", params: ["endpoint_id"] },
      { flags: "--listeners-only", text: "only to listeners of this folder" },
    ],
    example: "vitrine events resend evt_…",
    load: () => import("./resend.ts"),
  },
  {
    name: "deliveries list",
    summary: "List webhook deliveries, each with its last answer.",
    ways: ["config"],
    about: "store",
    options: [
      {
        flags: "--state <state>",
        text: "those of one state; a failed one is pending until its last attempt",
        choices: deliveryStates,
      },
      { flags: "--endpoint <id>", text: "only to this endpoint", params: ["endpoint_id"] },
      { flags: "--event <id>", text: "only of this event", params: ["event_id"] },
      ...paging,
    ],
    example: "vitrine deliveries list --state pending --endpoint we_…",
    load: () => import("./deliveries.ts"),
  },
  {
    name: "replay",
    summary: "Send what an endpoint missed in a span of time.",
    ways: ["config"],
    about: "store",
    changes: "Send its deliveries again",
    options: [
      { flags: "--endpoint <id>", text: "the endpoint", required: true, params: ["id"] },
      {
        flags: "--since <time>",
        text: "an age such as 2h, or a time",
        required: true,
        params: ["since"],
      },
      { flags: "--until <time>", text: "an age or a time (now without it)", params: ["until"] },
    ],
    example: "vitrine replay --endpoint we_… --since 2h",
    load: () => import("./replay.ts"),
  },
  {
    name: "requests tail",
    summary: "Show requests to the API as they are answered.",
    ways: ["config"],
    about: "store",
    options: [{ flags: "--status <status>", text: "only answers of this status" }],
    example: "vitrine requests tail --status 400",
    load: () => import("./requests-tail.ts"),
  },
];

export const eventGroups: Readonly<Record<string, string>> = {
  events: "Look at events, and send them again.",
  deliveries: "Look at webhook deliveries.",
  requests: "Look at requests.",
};
