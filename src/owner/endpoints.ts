import { fail } from "../contract/errors.ts";
import type { EventType } from "../contract/events.ts";
import { createWebhookSecret } from "../domain/api-keys.ts";
import { check, checkId, given } from "../input/check.ts";
import { invalidOption } from "../input/option-error.ts";
import type { Partition } from "../rules/records.ts";
import { iso } from "../rules/render.ts";
import type { EndpointRecord, FinalState } from "../rules/webhook-records.ts";
import { skipAll } from "../webhooks/skip.ts";
import { sendTestEvent, type TestSent } from "../webhooks/test-event.ts";
import type { WebhookTransport } from "../webhooks/transport.ts";
import { notFound, type OwnerContext, unknownStore } from "./context.ts";
import {
  EnableInput,
  EndpointChanges,
  EndpointInput,
  RecoveryInput,
  RotationInput,
} from "./endpoint-input.ts";

/** CONTRACT 4. */
const maxEndpoints = 50;
const maxSecrets = 3;
const dayInSeconds = 86_400;
const recoverChunk = 500;

export interface Endpoint extends Partition {
  readonly id: string;
  readonly url: string;
  readonly event_types: readonly EventType[] | "*";
  readonly state: "enabled" | "disabled";
  /** `owner`, or `failing` when it was disabled after three days without a success. */
  readonly disabled_reason: string | null;
  readonly description: string | null;
  /** ISO 8601 UTC. */
  readonly created_at: string;
}

export interface CreatedEndpoint extends Endpoint {
  /** `whsec_…`, here and never again: it is sealed at rest. */
  readonly secret: string;
}

export interface RotatedEndpoint extends CreatedEndpoint {
  /** ISO 8601 UTC; until then the old secret signs too. */
  readonly old_secret_expires_at: string;
}

export interface Recovered {
  /** Deliveries that will be sent again, each with a whole new schedule. */
  readonly recovered: number;
}

export interface OwnerEndpoints {
  /** Checks the address as every delivery will; throws `endpoint_url_not_allowed`, or `invalid_option` without a transport. */
  create(input: EndpointInput): Promise<CreatedEndpoint>;
  list(partition: Partition): Promise<readonly Endpoint[]>;
  retrieve(partition: Partition, id: string): Promise<Endpoint>;
  update(partition: Partition, id: string, changes: EndpointChanges): Promise<Endpoint>;
  /** Its pending deliveries become `skipped`. */
  disable(partition: Partition, id: string): Promise<Endpoint>;
  /** Forgets past failures. Without `replay_since` what was skipped meanwhile stays skipped, to be recovered at any time. */
  enable(partition: Partition, id: string, options?: EnableInput): Promise<Endpoint & Recovered>;
  delete(partition: Partition, id: string): Promise<void>;
  /** A new secret, shown here once. Until the overlap ends every delivery carries a signature by each live secret, three at most. */
  rotateSecret(partition: Partition, id: string, options?: RotationInput): Promise<RotatedEndpoint>;
  /** Sends a `webhook.test` event now, by the way of every delivery; it is in no list and never repeated. A disabled endpoint is tested too. */
  sendTestEvent(partition: Partition, id: string): Promise<TestSent>;
  /** Makes final deliveries pending again. Throws `invalid_transition` while the endpoint is disabled. */
  recover(partition: Partition, id: string, range: RecoveryInput): Promise<Recovered>;
}

const render = (endpoint: EndpointRecord): Endpoint => ({
  id: endpoint.id,
  store_id: endpoint.store_id,
  livemode: endpoint.livemode,
  url: endpoint.url,
  event_types: endpoint.event_types ?? "*",
  state: endpoint.state,
  disabled_reason: endpoint.disabled_reason,
  description: endpoint.description,
  created_at: iso(endpoint.created_at),
});

export function createEndpoints(ctx: OwnerContext): OwnerEndpoints {
  const { webhooks } = ctx.storage;
  const skip = (partition: Partition, id: string): Promise<void> =>
    skipAll({ store: webhooks, now: ctx.now }, partition.store_id, id);
  const find = async (partition: Partition, id: string): Promise<EndpointRecord> =>
    (await webhooks.findEndpoint(partition, checkId("id", id))) ??
    notFound(ctx, partition.store_id);
  const change = async (
    partition: Partition,
    id: string,
    changes: Parameters<typeof webhooks.updateEndpoint>[2],
  ): Promise<Endpoint> => {
    const endpoint = await webhooks.updateEndpoint(
      partition,
      checkId("id", id),
      changes,
      ctx.now(),
    );
    if (!endpoint) return notFound(ctx, partition.store_id);
    ctx.endpointChanged(id);
    return render(endpoint);
  };
  const recover = async (
    { store_id, livemode }: Partition,
    endpoint_id: string,
    range: { since: number; until: number; states: readonly FinalState[] },
  ): Promise<number> => {
    let recovered = 0;
    for (let before: Awaited<ReturnType<typeof webhooks.recoverDeliveries>>["before"] = null; ; ) {
      const part = await webhooks.recoverDeliveries({
        store_id,
        livemode,
        endpoint_id,
        ...range,
        before,
        limit: recoverChunk,
        now: ctx.now(),
      });
      recovered += part.recovered;
      if (part.before === null) break;
      before = part.before;
    }
    if (recovered > 0) ctx.due();
    return recovered;
  };

  return {
    async create(input) {
      const { store_id, livemode, url, event_types, description } = check(EndpointInput, input);
      await checkAddress(requireTransport(ctx.transport), url);
      const id = ctx.newId("we");
      const secret = createWebhookSecret(ctx.randomBytes);
      const endpoint: EndpointRecord = {
        id,
        store_id,
        livemode,
        url,
        event_types:
          event_types === undefined || event_types === null || event_types === "*"
            ? null
            : event_types,
        state: "enabled",
        disabled_reason: null,
        description: description ?? null,
        secrets: [{ sealed: await ctx.keyRing.seal(secret, id), expires_at: null }],
        created_at: ctx.now(),
      };
      const { outcome } = await webhooks.createEndpoint(endpoint, maxEndpoints);
      if (outcome === "unknown_store") unknownStore();
      if (outcome === "limit")
        fail("parameter_invalid", {
          param: "store_id",
          message: `The store has ${maxEndpoints} endpoints already.`,
        });
      return { ...render(endpoint), secret };
    },
    list: async (partition) => (await webhooks.listEndpoints(partition)).map(render),
    retrieve: async (partition, id) => render(await find(partition, id)),
    async update(partition, id, changes) {
      const { event_types, ...rest } = given(check(EndpointChanges, changes));
      if (rest.url !== undefined) await checkAddress(requireTransport(ctx.transport), rest.url);
      return change(partition, id, {
        ...rest,
        ...(event_types === undefined
          ? {}
          : { event_types: event_types === "*" ? null : event_types }),
      });
    },
    async disable(partition, id) {
      const endpoint = await change(partition, id, { state: "disabled", disabled_reason: "owner" });
      await skip(partition, id);
      return endpoint;
    },
    async enable(partition, id, options = {}) {
      const { replay_since } = check(EnableInput, options);
      await skip(partition, checkId("id", id)); // what an interrupted disabling left would else go out unasked
      const endpoint = await change(partition, id, { state: "enabled", disabled_reason: null });
      const range = {
        since: replay_since ?? 0,
        until: ctx.now(),
        states: ["exhausted", "skipped"],
      } as const;
      return {
        ...endpoint,
        recovered:
          replay_since === undefined || replay_since === null
            ? 0
            : await recover(partition, id, range),
      };
    },
    async delete(partition, id) {
      if (!(await webhooks.deleteEndpoint(partition, checkId("id", id), ctx.now())))
        await notFound(ctx, partition.store_id);
      ctx.endpointChanged(id);
      await skip(partition, id);
    },
    async rotateSecret(partition, id, options = {}) {
      const { overlap_seconds } = check(RotationInput, options);
      const secret = createWebhookSecret(ctx.randomBytes);
      const sealed = await ctx.keyRing.seal(secret, checkId("id", id));
      const now = ctx.now();
      const old_until = now + (overlap_seconds ?? dayInSeconds) * 1_000;
      const endpoint = await webhooks.rotateSecret(partition, id, {
        sealed,
        old_until,
        max: maxSecrets,
        now,
      });
      if (!endpoint) return notFound(ctx, partition.store_id);
      ctx.endpointChanged(id);
      return { ...render(endpoint), secret, old_secret_expires_at: iso(old_until) };
    },
    async sendTestEvent(partition, id) {
      const transport = requireTransport(ctx.transport);
      return sendTestEvent(
        { transport, keyRing: ctx.keyRing, now: ctx.now },
        await find(partition, id),
        ctx.newId("evt"),
      );
    },
    async recover(partition, id, range) {
      const { since, until, states } = check(RecoveryInput, range);
      const endpoint = await find(partition, id);
      if (endpoint.state === "disabled")
        fail("invalid_transition", {
          param: "id",
          message: "The endpoint is disabled: enable it first, with `replay_since`.",
        });
      return {
        recovered: await recover(partition, id, {
          since,
          until: until ?? ctx.now(),
          states: states ?? ["exhausted", "skipped"],
        }),
      };
    },
  };
}

export const requireTransport = (transport: WebhookTransport | null): WebhookTransport =>
  transport ??
  invalidOption(
    "transport",
    "is missing: pass `nodeTransport()` from vitrine/transport (or a transport of your own), so that webhooks can be sent",
  );

async function checkAddress(transport: WebhookTransport, url: string): Promise<void> {
  const verdict = await transport.check(url);
  if (!verdict.ok)
    fail("endpoint_url_not_allowed", {
      param: "url",
      message: `The webhook URL is not allowed: ${verdict.reason}.`,
    });
}
