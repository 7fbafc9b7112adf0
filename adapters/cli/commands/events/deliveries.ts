import type { Page } from "#core/contract/routes.ts";
import type { Delivery, DeliveryAttempt, DeliveryQuery } from "#core/owner/webhooks/deliveries.ts";
import type { Call } from "../../frame/command.ts";

/** A delivery with what the receiver last answered. Null before the first attempt. */
export interface AnsweredDelivery extends Delivery {
  readonly last_attempt: DeliveryAttempt | null;
}

/** Lists deliveries, the newest first, each with its last answer. */
export async function run(call: Call): Promise<void> {
  const { input, screen } = call;
  const page = await listAnswered(call, {
    state: input.text("state") as DeliveryQuery["state"],
    endpoint_id: input.text("endpoint"),
    event_id: input.text("event"),
    limit: input.number("limit", 1, 100),
    starting_after: input.text("after"),
  });
  screen.result(page, () => [
    ...(page.data.length === 0 ? ["None."] : page.data.flatMap(linesOf)),
    ...(page.has_more ? [`There are more: --after ${page.next_cursor}`] : []),
  ]);
}

const linesOf = (delivery: AnsweredDelivery): readonly string[] => [
  `${delivery.event_id}  ${delivery.event_type}  ${delivery.endpoint_id}`,
  outcomeLine(delivery),
];

type Filters = Omit<DeliveryQuery, "store_id" | "livemode">;

/** Lists deliveries of the call's store and mode, each with its last answer. */
export async function listAnswered(
  { host, store }: Call,
  filters: Filters,
): Promise<Page<AnsweredDelivery>> {
  const { deliveries } = host().storefront.owner;
  const { store_id, livemode } = store();
  const page = await deliveries.list({ store_id, livemode, ...filters });
  const data: AnsweredDelivery[] = [];
  // One after the other: a pool of few connections has other work too.
  for (const delivery of page.data) {
    const { attempts, endpoint_id, event_id } = delivery;
    const reference = { store_id, livemode, endpoint_id, event_id };
    const all = attempts === 0 ? [] : await deliveries.attempts(reference);
    data.push({ ...delivery, last_attempt: all.at(-1) ?? null });
  }
  return { ...page, data };
}

/** Says how a delivery went. The ids, the answer and the time are too wide for columns. */
export function outcomeLine(delivery: AnsweredDelivery): string {
  const { state, attempts, last_attempt, next_attempt_at } = delivery;
  const tries = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  const parts = [state, tries, answerText(last_attempt), nextText(next_attempt_at)];
  return `  ${parts.filter((part) => part !== "").join(" · ")}`;
}

/** Says the status, the class of the error and the first words of the answer. */
function answerText(attempt: DeliveryAttempt | null): string {
  if (!attempt) return "";
  const { status, error, snippet } = attempt;
  const words = [status ?? "no answer", error, snippet].filter(Boolean).join(" ");
  // What a receiver answers must not steer the terminal.
  return words.replace(/[\p{Cc}\s]+/gu, " ").slice(0, mostLetters);
}

const mostLetters = 120;

const nextText = (time: string | null): string => (time ? `next ${time.slice(0, 19)}Z` : "");
