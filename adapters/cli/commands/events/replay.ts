import { type Call, end } from "../../frame/command.ts";

interface Range {
  readonly since: number;
  readonly until: number | undefined;
}

/** What failed and is tried again without a replay. */
interface Waiting {
  readonly count: number;
  /** The time at which the first of them is tried. Null without any. */
  readonly next_attempt_at: string | null;
}

/** Makes the final deliveries of a span of time due again, for one endpoint. */
export async function run(call: Call): Promise<void> {
  const { host, store, input, screen } = call;
  const { store_id, livemode } = store();
  const now = Date.now();
  const since = input.moment("since", now) ?? end("usage", "--since is missing.");
  const until = input.moment("until", now);
  const id = input.text("endpoint") ?? "";

  const { endpoints } = host().storefront.owner;
  // Before the recovery, which makes its own deliveries pending.
  const waiting = await countWaiting(call, id, { since, until });
  const range = { since, ...(until !== undefined && { until }) };
  const result = await endpoints.recover({ store_id, livemode }, id, range);
  screen.result({ ...result, waiting }, () => [
    dueAgain(result),
    ...(waiting.count === 0 ? [] : waitingLines(waiting)),
  ]);
}

/** Says how many deliveries were made due again. */
export const dueAgain = ({ recovered }: { readonly recovered: number }): string =>
  `${recovered} deliveries are due again. They go with the next drain.`;

/** Counts the deliveries of the range that have failed and wait for their next attempt. */
async function countWaiting(
  { host, store, signal }: Call,
  endpoint_id: string,
  { since, until = Number.POSITIVE_INFINITY }: Range,
): Promise<Waiting> {
  const { deliveries } = host().storefront.owner;
  const { store_id, livemode } = store();
  const query = { store_id, livemode, endpoint_id, state: "pending", limit: 100 } as const;
  const times: string[] = [];
  let starting_after: string | null = null;
  do {
    const page = await deliveries.list({ ...query, starting_after });
    const young = page.data.filter(({ created_at }) => Date.parse(created_at) >= since);
    for (const { attempts, created_at, next_attempt_at } of young)
      if (attempts > 0 && Date.parse(created_at) <= until && next_attempt_at !== null)
        times.push(next_attempt_at);
    starting_after = young.length < page.data.length ? null : page.next_cursor;
  } while (starting_after !== null && !signal.aborted);
  const [next_attempt_at = null] = times.sort();
  return { count: times.length, next_attempt_at };
}

const waitingLines = ({ count, next_attempt_at }: Waiting): readonly string[] => [
  `${count} more failed and wait for their next attempt, the first at ${next_attempt_at}.`,
  "To send one now: vitrine events resend <event>. To see them: vitrine deliveries list.",
];
