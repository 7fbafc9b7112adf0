import type { ApiError } from "../../contract/errors.ts";
import { capital } from "../format.ts";
import type { Language, TextName } from "../language.ts";

/** Lists the reasons that the calls give, and the texts that tell a reader of them. */
const reasons: readonly (readonly [pattern: RegExp, text: TextName])[] = [
  [/URL is not allowed: .*does not resolve/, "fault_url_name"],
  [/URL is not allowed/, "fault_url_target"],
  [/is required|must not be blank|must have at least 1 /, "fault_missing"],
  [/is taken by another/, "fault_taken"],
  [/allows more than its maker may do|who may do more than you/, "fault_above"],
  [/from whom your own invitation comes/, "person_end_inviter"],
  [/must have at most (?<bound>\d+) characters/, "fault_long"],
  [/must have at most (?<bound>\d+) entries/, "fault_many"],
  [/must be at least (?<bound>-?\d+)/, "fault_small"],
  [/must be at most (?<bound>\d+)/, "fault_large"],
  [/must be an e-mail address/, "fault_email"],
  [/must be 1 to 100 characters of a-z, 0-9 and -/, "fault_slug"],
  [/above 0 and at most 100/, "fault_percentage"],
  [/later than the clock's time/, "fault_clock"],
  [/turned by at most (?<bound>\d+) days/, "fault_clock_far"],
  [/must be after starts_at/, "fault_order"],
  [/own ancestor/, "fault_ancestor"],
  [/endpoint is disabled or gone/, "fault_endpoint_off"],
  [/bytes have been pruned/, "fault_event_pruned"],
  [/larger than what is left of the payment/, "fault_refund_large"],
  [/only a paid order can be refunded/i, "fault_refund_unpaid"],
  [/you have moved the money yourself/i, "fault_refund_gateway"],
  [/used for a refund of another amount/, "fault_refund_reference"],
  [/only a pending order can fail/, "fault_order_ended"],
  [/can send this payment back/, "fault_return_gateway"],
  [/did not send the money back/, "fault_return_failed"],
  [/This payment pays its order/, "fault_return_booked"],
];

/** The texts that have other words for a bound of one than for a larger bound. */
const countsBy: ReadonlySet<TextName> = new Set<TextName>([
  "fault_long",
  "fault_many",
  "fault_clock_far",
]);

/** Says in the reader's words why a call has refused what was typed. */
export function explain({ say, sayCount, lang }: Language, error: ApiError): string {
  const { message, param, code } = error;
  if (code === "invalid_origin") return say("fault_origin");
  if (code === "invalid_return_url") return say("fault_return_url");

  for (const [pattern, text] of reasons) {
    const match = pattern.exec(message);
    if (!match) continue;
    const { bound = "" } = match.groups ?? {};
    return countsBy.has(text) ? sayCount(text, Number(bound)) : say(text, { bound });
  }

  // The remaining errors are rare: their English words are better than none.
  const reason = param === null ? message : message.replace(`${param} `, "");
  const sentence = capital(reason);
  return lang === "en" ? sentence : say("fault_other", { reason: sentence });
}
