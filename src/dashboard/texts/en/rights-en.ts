import { type DashboardAction, dashboardActions } from "../../../owner/actions.ts";

type RightsTexts = Readonly<Record<`may_${DashboardAction}`, string>>;

/** Says what each right allows, as the table of the actions does. */
export const rightsEnglish = Object.fromEntries(
  Object.entries(dashboardActions).map(([action, text]) => [
    `may_${action}`,
    text.replace(/\.$/, ""),
  ]),
) as RightsTexts;
