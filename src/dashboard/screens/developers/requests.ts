import { fail, isApiError, publicErrors } from "../../../contract/errors.ts";
import { type Html, html } from "../../../contract/html.ts";
import type { OwnerRequest } from "../../../owner/requests.ts";
import { inStore } from "../../addresses.ts";
import { timeTag } from "../../format.ts";
import { badge, card, facts, jsonBlock, notice } from "../../frame/elements.ts";
import { filterForm, filtersOf } from "../../lists/filters.ts";
import { ageSortOf, dateHead, sortFilter } from "../../lists/sorts.ts";
import type { Screen, StoreVisit } from "../../screen.ts";
import { emptyPage, listBody, pageQuery } from "../lists.ts";

const codes = Object.keys(publicErrors).filter(isCode).sort();

function isCode(name: string): name is keyof typeof publicErrors {
  return Object.hasOwn(publicErrors, name);
}

const statusBadge = ({ status }: OwnerRequest): Html =>
  badge(status >= 500 ? "bad" : status >= 400 ? "warn" : "good", String(status));

/** Finds the request of this id in the visited mode. Gives null for any other. */
async function findRequest(
  { parts, store, livemode }: StoreVisit,
  id: string,
): Promise<OwnerRequest | null> {
  try {
    const found = await parts.owner.requests.retrieve({ store_id: store.id, id });
    return found.livemode === livemode ? found : null;
  } catch (error) {
    const isUnknown = ["resource_not_found", "parameter_invalid"];
    if (isApiError(error) && isUnknown.includes(error.code)) return null;
    throw error;
  }
}

/** Says how many calls beyond a limit the row stands for, when it is not the only one. */
const callsOf = ({ language }: StoreVisit, { limited_calls }: OwnerRequest): string | null =>
  limited_calls !== null && limited_calls > 1
    ? language.sayCount("request_limited_calls", limited_calls)
    : null;

const row = (visit: StoreVisit, request: OwnerRequest) => [
  html`<a href="${inStore(visit, ["requests", request.id])}">${
    request.route ?? visit.language.say("request_early")
  }</a><small>${request.id}</small>`,
  html`<span>${request.code ?? "—"}<small>${
    request.param ?? callsOf(visit, request)
  }</small></span>`,
  `${Math.round(request.duration_ms)} ms`,
  timeTag(visit, request.created_at),
  statusBadge(request),
];

export const requestsScreen: Screen = {
  path: "requests",
  section: "requests",
  action: "requests.read",

  async show(visit) {
    const { parts, store, livemode, language } = visit;
    const { say } = language;
    const filters = filtersOf(visit, ["id", "code", sortFilter]);
    const { id } = filters;
    const code = codes.find((name) => name === filters["code"]) ?? null;
    const found = id === undefined ? null : await findRequest(visit, id);
    const page =
      id === undefined
        ? await parts.owner.requests.list({
            store_id: store.id,
            livemode,
            code,
            sort: ageSortOf(filters),
            ...pageQuery(visit),
          })
        : { ...emptyPage, data: found ? [found] : [] };

    const options = [
      { value: "", label: say("filter_all") },
      ...codes.map((value) => ({ value, label: value })),
    ];
    const caption = say("section_requests");
    const body = listBody(visit, {
      caption,
      columns: [
        say("request"),
        say("requests_code"),
        say("duration"),
        dateHead(visit, filters),
        say("state"),
      ],
      rows: page.data.map((request) => row(visit, request)),
      page,
      filters,
      tools: filterForm(visit, filters, [
        { name: "id", label: "requests_search", kind: "search", hint: "requests_search_hint" },
        { name: "code", label: "requests_code", kind: "choice", options },
      ]),
      empty: { title: "requests_empty_title", text: "requests_empty_text" },
    });
    return { title: caption, lead: say("requests_lead"), body };
  },
};

/** Shows the fields of a request that are known. */
function about(visit: StoreVisit, request: OwnerRequest): Html {
  const { say, sayCount } = visit.language;
  const { code, param, network, idempotency, earlier_request_id, different_paths } = request;
  const { limited_calls } = request;
  const optional = [
    ["requests_code", code],
    ["request_param", param],
    ["request_limited", limited_calls && sayCount("request_limited_calls", limited_calls)],
    ["request_network", network],
    ["request_idempotency", idempotency],
    ["request_different", different_paths.join(", ")],
  ] as const;
  const earlier =
    earlier_request_id === null
      ? []
      : [
          [
            say("request_earlier"),
            html`<a href="${inStore(visit, ["requests", earlier_request_id])}"
>${earlier_request_id}</a>`,
          ] as const,
        ];
  return facts([
    [say("state"), statusBadge(request)],
    [say("created_at"), timeTag(visit, request.created_at)],
    [say("duration"), `${Math.round(request.duration_ms)} ms`],
    [say("key"), html`<a href="${inStore(visit, ["keys"])}">${request.key_id}</a>`],
    ...optional.flatMap(([name, value]) => (value ? [[say(name), value] as const] : [])),
    ...earlier,
  ]);
}

export const requestScreen: Screen = {
  path: "requests/{id}",
  section: "requests",
  action: "requests.read",

  async show(visit) {
    const { say } = visit.language;
    const request = await findRequest(visit, visit.params["id"] ?? "");
    if (!request) return fail("resource_not_found", { param: "id" });

    const cure =
      request.remedy === null
        ? null
        : notice("warn", html`<strong>${say("request_cure")}:</strong> ${request.remedy}`);
    const body = request.body === null ? null : card(say("request_body"), jsonBlock(request.body));
    return {
      title: request.route ?? say("request_early"),
      lead: html`<code>${request.id}</code>`,
      crumbs: [{ label: say("section_requests"), address: inStore(visit, ["requests"]) }],
      body: html`${cure}${card(null, about(visit, request))}${body}`,
    };
  },
};
