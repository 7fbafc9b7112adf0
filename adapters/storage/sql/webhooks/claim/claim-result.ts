import { sql } from "kysely";
import { skipLimit } from "#core/rules/webhooks/claim-turns.ts";
import type {
  ClaimedDelivery,
  DeliveryKey,
  EndpointRecord,
} from "#core/rules/webhooks/webhook-records.ts";
import type { Claim, Claimed } from "#core/storage/webhook-store.ts";
import { fromJson } from "../../engine/columns.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, prepareRaw, type QueryGenerator } from "../../engine/queries.ts";
import { claimedOf, type Destination, type LeasedRow } from "../rows.ts";
import { skippedColumns, skipStep } from "../settle/skip.ts";
import { type EndpointLook, maxEndpoints } from "./claim-look.ts";

/** An enabled endpoint with due deliveries. */
export interface DueEndpoint {
  readonly endpoint_id: string;
  readonly destination: Destination;
  readonly quota: number;
}

/** A claim's queries give this result, from which its answer is made. */
export interface ClaimFindings {
  readonly looks: readonly EndpointLook[];
  readonly due: readonly DueEndpoint[];
  readonly rows: readonly LeasedRow[];
}

const maxParsed = 1_000;

/** Reads the endpoints that a look found due, and their addresses. */
export function dueEndpointFinder() {
  const parse = createParser();

  return (
    looks: readonly EndpointLook[],
    { now, quota_by_endpoint, per_endpoint }: Claim,
  ): readonly DueEndpoint[] =>
    looks.flatMap(({ endpoint_id, due_at, endpoint_state, record }) => {
      const quota = quota_by_endpoint[endpoint_id] ?? per_endpoint;
      if (due_at > now || endpoint_state !== "enabled" || record === null || quota <= 0) return [];

      return { endpoint_id, destination: parse(record), quota };
    });
}

/** Does the part of a claim that follows its look and its leases, in one database. */
export function claimResult(engine: SqlEngine) {
  const skip = skipStep(engine);
  const skipRows = skipRowsStep(engine);

  /** Skips what is disabled or without a body, and gives the claim's answer. */
  function* finish(findings: ClaimFindings, claim: Claim): QueryGenerator<Claimed> {
    let skippedAll = true;
    for (const { endpoint_id } of disabledLooks(findings.looks, claim))
      if ((yield* skip(endpoint_id, skipLimit, claim.now)) === skipLimit) skippedAll = false;

    const { deliveries, withoutBody } = sortRows(findings);
    if (withoutBody.length > 0) yield* skipRows(withoutBody, claim);
    return claimAnswer(findings, claim, { deliveries, skippedAll });
  }

  return { dueEndpoints: dueEndpointFinder(), finish };
}

/**
 * Gives the endpoints that were disabled or deleted but still have due rows. The
 * rows were written meanwhile, or there were too many for one step.
 */
export const disabledLooks = <Look extends EndpointLook>(
  looks: readonly Look[],
  { now }: Claim,
): readonly Look[] =>
  looks.filter(({ due_at, endpoint_state }) => due_at <= now && endpoint_state !== "enabled");

interface Served {
  readonly deliveries: readonly ClaimedDelivery[];
  /** True unless a disabled endpoint has more deliveries than a claim skips. */
  readonly skippedAll: boolean;
}

export function claimAnswer(
  { looks, due, rows }: ClaimFindings,
  claim: Claim,
  { deliveries, skippedAll }: Served,
): Claimed {
  const sawAll = looks.length < maxEndpoints;
  const isCut = rows.length >= claim.limit;
  const last = isCut || sawAll ? lastServed(due, rows) : looks.at(-1)?.endpoint_id;
  const leftEndpoints = sawAll ? "nothing" : "endpoints";
  return {
    deliveries,
    after_endpoint: last ?? claim.after_endpoint,
    left_behind: isCut || !skippedAll ? "deliveries" : leftEndpoints,
  };
}

function lastServed(due: readonly DueEndpoint[], rows: readonly LeasedRow[]): string | undefined {
  const served = new Set(rows.map(({ endpoint_id }) => endpoint_id));
  return due.filter(({ endpoint_id }) => served.has(endpoint_id)).at(-1)?.endpoint_id;
}

/** Separates rows to send from those whose bytes were pruned while they became pending again. */
export function sortRows({ rows, due }: Pick<ClaimFindings, "rows" | "due">) {
  const destinations = new Map(due.map((found) => [found.endpoint_id, found.destination]));
  const deliveries: ClaimedDelivery[] = [];
  const withoutBody: DeliveryKey[] = [];

  for (const row of rows) {
    const destination = destinations.get(row.endpoint_id);
    if (destination && row.body !== null) deliveries.push(claimedOf(row, destination, row.body));
    else {
      const { store_id, endpoint_id, event_id } = row;
      withoutBody.push({ store_id, endpoint_id, event_id });
    }
  }

  deliveries.sort((a, b) => a.created_at - b.created_at || (a.event_id < b.event_id ? -1 : 1));
  return { deliveries, withoutBody };
}

function skipRowsStep({ db, dialect }: SqlEngine) {
  const columns = { store_id: "text", endpoint_id: "text", event_id: "text" } as const;
  const update = prepareRaw<unknown>(
    db,
    (param) => sql`
    update ${sql.table("deliveries")} as d
    set ${skippedColumns(param)}
    from ${dialect.jsonTable("k", param("keys"), columns)}
    where d.store_id = k.store_id and d.endpoint_id = k.endpoint_id and d.event_id = k.event_id
      and d.lease_token = ${param("lease_token")}`,
  );

  return function* skipRows(
    keys: readonly DeliveryKey[],
    { now, lease_token }: Claim,
  ): QueryGenerator<void> {
    yield* many(update({ keys: JSON.stringify(keys), now, lease_token }));
  };
}

/** Keeps what it has parsed: the same few endpoints are claimed for again and again. */
function createParser(): (record: string) => Destination {
  const parsed = new Map<string, Destination>();

  return (record) => {
    let destination = parsed.get(record);
    if (!destination) {
      destination = fromJson<EndpointRecord>(record);
      if (parsed.size >= maxParsed) parsed.clear();
      parsed.set(record, destination);
    }
    return destination;
  };
}
