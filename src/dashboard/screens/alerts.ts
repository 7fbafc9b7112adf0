import { html } from "../../contract/html.ts";
import { badge, emptyList, table } from "../elements.ts";
import { timeTag } from "../format.ts";
import type { Screen } from "../screen.ts";
import { pageQuery, pager } from "./lists.ts";

export const alertsScreen: Screen = {
  path: "alerts",
  section: "alerts",
  action: null,

  async show(visit) {
    const { parts, store, language } = visit;
    const { say } = language;
    const page = await parts.owner.alerts.list(store.id, pageQuery(visit));

    const rows = page.data.map((alert) => [
      html`<strong>${alert.type}</strong><small>${alert.subject}</small>`,
      alert.livemode ? say("live") : badge("warn", say("test")),
      timeTag(visit, alert.created_at),
      html`<code>${JSON.stringify(alert.data)}</code>`,
    ]);
    const columns = [say("alert"), say("mode"), say("created_at"), say("details")];
    return {
      title: say("section_alerts"),
      lead: say("alerts_lead"),
      body:
        rows.length === 0
          ? emptyList(say("alerts_empty_title"), say("alerts_empty_text"))
          : html`${table({ caption: say("section_alerts"), columns, rows })}${pager(visit, page)}`,
    };
  },
};
