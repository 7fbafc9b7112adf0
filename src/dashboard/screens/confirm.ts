import { type Html, html } from "../../contract/html.ts";
import type { DashboardAction } from "../../owner/actions.ts";
import { screenForm } from "../elements.ts";
import type { TextName } from "../language.ts";
import type { Crumb, FormResult, Screen, Section, StoreVisit } from "../screen.ts";

interface Question {
  readonly title: string;
  /** What will happen, before it does. */
  readonly text: string | Html;
  readonly button: TextName;
  readonly crumbs: readonly Crumb[];
  /** Where a change of mind leads to. */
  readonly back: string;
}

/** A screen that says what an action will do, and asks once. */
export const confirmScreen = (screen: {
  readonly path: string;
  readonly section: Section;
  readonly action: DashboardAction;
  ask(visit: StoreVisit): Promise<Question>;
  run(visit: StoreVisit): Promise<FormResult>;
}): Screen => ({
  path: screen.path,
  section: screen.section,
  action: screen.action,

  async show(visit) {
    const { title, text, button, crumbs, back } = await screen.ask(visit);
    const { say } = visit.language;
    const body = html`<div class="actions"><button class="button danger">${say(button)}</button>
<a class="button" href="${back}">${say("cancel")}</a></div>`;
    return {
      title,
      crumbs,
      body: html`<div class="card"><p>${text}</p>
${screenForm(visit, { name: "confirm", body })}</div>`,
    };
  },

  forms: { confirm: { action: screen.action, send: (visit) => screen.run(visit) } },
});
