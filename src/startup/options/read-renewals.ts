import { invalidOption } from "../../input/option-error.ts";
import type { StorefrontOptions } from "../../options.ts";
import type { RenewalPlan } from "../../rules/subscriptions/renewal-plan.ts";
import { isWhole } from "./whole-numbers.ts";

/** Reads when the later periods of subscriptions are charged. */
export function readRenewals(given: StorefrontOptions["renewals"] = {}): RenewalPlan {
  const { noticeDays = 3 } = given;
  const { days = [1, 3, 5, 7], afterLast = "cancel", hours = { from: 8, to: 20 } } = given;

  const rises = days.every((day, index) => isWhole(day, (days[index - 1] ?? 0) + 1, 60));
  if (days.length === 0 || !rises)
    invalidOption("renewals.days", "must be rising whole numbers from 1 to 60");
  if (afterLast !== "cancel" && afterLast !== "leave")
    invalidOption("renewals.afterLast", 'must be "cancel" or "leave"');
  if (!isWhole(hours.from, 0, 23) || !isWhole(hours.to, hours.from + 1, 24))
    invalidOption("renewals.hours", "must be whole hours with from before to, from 0 to 24");
  if (!isWhole(noticeDays, 0, 60))
    invalidOption("renewals.noticeDays", "must be a whole number from 0 to 60");
  return { days, afterLast, hours, noticeDays };
}
