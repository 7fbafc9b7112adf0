import { hourMs } from "../../domain/durations.ts";
import { iso } from "../../domain/text/iso.ts";
import type { EndpointRecord } from "../../rules/webhooks/webhook-records.ts";
import type { AttemptCount } from "../../storage/reads/listing-store.ts";
import type { OwnerContext } from "../context.ts";

/** Counts the attempts of a span of time, at most the newest 10,000. */
export interface EndpointAttempts {
  readonly attempts: number;
  /** Counts those that the receiver accepted. */
  readonly accepted: number;
  /**
   * `accepted` divided by `attempts`, from 0 to 1. It is null without an
   * attempt.
   */
  readonly share: number | null;
}

/** A report on how the deliveries to an endpoint went lately. */
export interface EndpointHealthReport {
  /**
   * The newest attempt that the receiver accepted began at this time, in ISO 8601,
   * in UTC. It is null when there was none in the last 30 days, for which attempts
   * are kept.
   */
  readonly last_success_at: string | null;
  readonly last_24_hours: EndpointAttempts;
  readonly last_7_days: EndpointAttempts;
}

/** The most attempts that a report of a busy endpoint reads. */
const maxCounted = 10_000;

export async function reportHealth(
  ctx: OwnerContext,
  { store_id, id: endpoint_id }: EndpointRecord,
): Promise<EndpointHealthReport> {
  const { lists } = ctx.storage;
  const now = ctx.now();

  const countIn = (hours: number): Promise<AttemptCount> =>
    lists.countAttempts({
      store_id,
      endpoint_id,
      since: now - hours * hourMs,
      limit: maxCounted,
    });

  const day = await countIn(24);
  const week = await countIn(7 * 24);
  return {
    last_success_at: day.last_accepted_at === null ? null : iso(day.last_accepted_at),
    last_24_hours: render(day),
    last_7_days: render(week),
  };
}

const render = ({ attempts, accepted }: AttemptCount): EndpointAttempts => ({
  attempts,
  accepted,
  share: attempts === 0 ? null : accepted / attempts,
});
