import { type Action, actions } from "../../../owner/actions.ts";

type ActionsTexts = Readonly<Record<`may_${Action}`, string>>;

/** Says what each right allows, and what the host's own code does, as the table of actions does. */
export const rightsEnglish = Object.fromEntries(
  Object.entries(actions).map(([action, text]) => [`may_${action}`, text.replace(/\.$/, "")]),
) as ActionsTexts;
