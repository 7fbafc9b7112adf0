import { html } from "../../contract/html.ts";
import type { Alert } from "../../owner/alerts.ts";
import { samePlace } from "../addresses.ts";
import { timeTag } from "../format.ts";
import { badge, buttonForm } from "../frame/elements.ts";
import { chips, filtersOf } from "../lists/filters.ts";
import { ageSortOf, dateHead, sortFilter } from "../lists/sorts.ts";
import type { Screen, StoreVisit } from "../screen.ts";
import { alertDetails, alertText, alertTitle } from "../sentences/alert.ts";
import { listBody, pageQuery } from "./lists.ts";

/** Shows whether someone has dealt with the alert, with a button to say so. */
const stateOf = (visit: StoreVisit, alert: Alert) => {
  const { say } = visit.language;
  if (alert.acknowledged_at !== null)
    return html`${badge("good", say("alert_done"))}<small>${alert.acknowledged_by}</small>`;

  const button = buttonForm(visit, {
    name: "acknowledge",
    action: "alerts.acknowledge",
    label: "alert_acknowledge",
    about: `${alertTitle(visit, alert.type)} (${alert.subject})`,
    fields: { alert: alert.id },
    address: samePlace(visit),
  });
  return button ?? badge("warn", say("alert_open"));
};

/** `alerts.acknowledge` takes 200 code units, and a letter needs at most two of them. */
const maxLetters = 100;

export const alertsScreen: Screen = {
  path: "alerts",
  section: "alerts",
  action: null,

  async show(visit) {
    const { parts, store, language } = visit;
    const { say } = language;
    const filters = filtersOf(visit, ["state", sortFilter]);
    const acknowledged = filters["state"] === "open" ? false : null;
    const query = { ...pageQuery(visit), acknowledged, sort: ageSortOf(filters) };
    const page = await parts.owner.alerts.list(store.id, query);

    const rows = page.data.map((alert) => [
      alertText(visit, alert),
      alert.livemode ? say("live") : badge("warn", say("test")),
      timeTag(visit, alert.created_at),
      alertDetails(visit, alert),
      stateOf(visit, alert),
    ]);
    const options = [
      { value: "", label: say("filter_all") },
      { value: "open", label: say("alert_open") },
    ];
    const caption = say("section_alerts");
    const body = listBody(visit, {
      caption,
      columns: [say("alert"), say("mode"), dateHead(visit, filters), say("details"), say("state")],
      rows,
      page,
      filters,
      tools: chips(visit, { filters, name: "state", label: "filter_state", options }),
      empty: { title: "alerts_empty_title", text: "alerts_empty_text" },
    });
    return { title: caption, lead: say("alerts_lead"), body };
  },

  forms: {
    acknowledge: {
      action: "alerts.acknowledge",
      async send(visit, fields) {
        const { parts, store, access } = visit;
        const by = [...access.actor].slice(0, maxLetters).join("");
        await parts.owner.alerts.acknowledge(store.id, fields.get("alert") ?? "", { by });
        return { kind: "done", address: samePlace(visit), message: "done_acknowledged" };
      },
    },
  },
};
