import type { ErrorCode } from "../../contract/errors.ts";
import { type Html, html } from "../../contract/html.ts";
import type { DashboardAction } from "../../owner/actions.ts";
import { withRefusal } from "../forms/conflict.ts";
import { notice, screenForm } from "../frame/elements.ts";
import type { TextName } from "../language.ts";
import type { Crumb, FormResult, Screen, Section, StoreVisit, View } from "../screen.ts";

interface Question {
  readonly title: string;
  /** Explains what will happen, in one paragraph or several. */
  readonly text: string | readonly string[];
  readonly button: TextName;
  readonly crumbs: readonly Crumb[];
  /** The address to which someone who does not confirm goes back. */
  readonly back: string;
  /** Why it cannot be done now. If it is set, the question is not asked. */
  readonly refusal?: string | null;
  /** The fields that ask for what else must be chosen. */
  readonly fields?: Html;
}

/** The errors which mean that the state has changed, or that the deployment cannot do it. */
const refusals: readonly ErrorCode[] = ["invalid_transition", "gateway_error"];

/** Makes a screen that says what an action will do, and asks once. */
export const confirmScreen = (screen: {
  readonly path: string;
  readonly section: Section;
  readonly action: DashboardAction;
  ask(visit: StoreVisit): Promise<Question>;
  run(visit: StoreVisit, fields: URLSearchParams): Promise<FormResult>;
}): Screen => {
  const show = async (visit: StoreVisit): Promise<View> => view(visit, await screen.ask(visit));
  return {
    path: screen.path,
    section: screen.section,
    action: screen.action,
    show,
    forms: {
      confirm: {
        action: screen.action,
        send: withRefusal({ codes: refusals, show }, (visit, fields) => screen.run(visit, fields)),
      },
    },
  };
};

function view(visit: StoreVisit, question: Question): View {
  const { title, text, button, crumbs, back, refusal = null, fields = null } = question;
  const { say } = visit.language;
  if (refusal !== null) {
    const leave = html`<a class="button" href="${back}">${say("back")}</a>`;
    return { title, crumbs, body: html`${notice("plain", refusal)}${leave}` };
  }

  const body = html`${fields}
<div class="actions"><button class="button danger">${say(button)}</button>
<a class="button" href="${back}">${say("cancel")}</a></div>`;
  return {
    title,
    crumbs,
    body: html`<div class="card">${[text].flat().map((each) => html`<p>${each}</p>`)}
${screenForm(visit, { name: "confirm", body })}</div>`,
  };
}
