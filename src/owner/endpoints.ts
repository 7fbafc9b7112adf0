import { fail } from "../contract/errors.ts";
import type { EventType } from "../contract/events.ts";
import { createWebhookSecret } from "../domain/api-keys.ts";
import { check, checkId, given } from "../input/check.ts";
import { testEventSent } from "../rules/audit-changes.ts";
import type { Partition } from "../rules/records.ts";
import { iso } from "../rules/render.ts";
import type { EndpointRecord } from "../rules/webhook-records.ts";
import type { WebhookStore } from "../storage/webhook-store.ts";
import { skipAll } from "../webhooks/skip.ts";
import { sendTestEvent, type TestSent } from "../webhooks/test-event.ts";
import type { WebhookTransport } from "../webhooks/transport.ts";
import { notFound, type OwnerContext, unknownStore } from "./context.ts";
import { type EndpointHealthReport, reportHealth } from "./endpoint-health.ts";
import {
  EnableInput,
  EndpointChanges,
  EndpointInput,
  RecoveryInput,
  RotationInput,
} from "./endpoint-input.ts";
import { recoverDeliveries } from "./endpoint-recovery.ts";
import { requireTransport } from "./require-transport.ts";

const maxEndpoints = 50;
const maxSecrets = 3;
const dayInSeconds = 86_400;

/** An address that events are delivered to. */
export interface Endpoint extends Partition {
  readonly id: string;
  readonly url: string;
  /** `*`: every type, also those of later versions. */
  readonly event_types: readonly EventType[] | "*";
  readonly state: "enabled" | "disabled";
  /**
   * `owner`, or `failing` when no delivery succeeded for three days; null while it
   * is enabled.
   */
  readonly disabled_reason: string | null;
  readonly description: string | null;
  /** ISO 8601 UTC. */
  readonly created_at: string;
}

/** A new endpoint with its secret. */
export interface CreatedEndpoint extends Endpoint {
  /** `whsec_…`. It is shown only here; the storage has it encrypted. */
  readonly secret: string;
}

/** An endpoint with its new secret, while the old one signs too. */
export interface RotatedEndpoint extends CreatedEndpoint {
  /** ISO 8601 UTC: the old secret signs too until then. */
  readonly old_secret_expires_at: string;
}

/** The number of deliveries that a recovery has started again. */
export interface Recovered {
  /** How many deliveries will be sent again, each with a new retry schedule. */
  readonly recovered: number;
}

/** The webhook endpoints of a store. */
export interface OwnerEndpoints {
  /**
   * Checks the address by the same rules as each delivery. Throws
   * `endpoint_url_not_allowed`, and `invalid_option` when the storefront has no
   * transport.
   */
  create(input: EndpointInput): Promise<CreatedEndpoint>;
  /** Lists all endpoints of the store, of both modes. */
  list(partition: Partition): Promise<readonly Endpoint[]>;
  /** Throws `resource_not_found` for an endpoint of another store. */
  retrieve(partition: Partition, id: string): Promise<Endpoint>;
  /**
   * Checks a new address as `create` does. Throws `resource_not_found` for an
   * unknown endpoint.
   */
  update(partition: Partition, id: string, changes: EndpointChanges): Promise<Endpoint>;
  /** The pending deliveries of the endpoint become `skipped`. */
  disable(partition: Partition, id: string): Promise<Endpoint>;
  /**
   * Enables the endpoint and forgets its past failures. Without `replay_since` the
   * deliveries that were skipped meanwhile stay skipped; `recover` can send them at
   * any time.
   */
  enable(partition: Partition, id: string, options?: EnableInput): Promise<Endpoint & Recovered>;
  /**
   * Deletes an endpoint. Its pending deliveries are skipped. Throws
   * `resource_not_found` for an endpoint of another store.
   */
  delete(partition: Partition, id: string): Promise<void>;
  /** The last success, and the share of attempts that the receiver accepted. */
  health(partition: Partition, id: string): Promise<EndpointHealthReport>;
  /**
   * Makes a new secret, which is shown only here. Until the overlap ends, each
   * delivery has one signature for each valid secret; an endpoint has three secrets
   * at most.
   */
  rotateSecret(partition: Partition, id: string, options?: RotationInput): Promise<RotatedEndpoint>;
  /**
   * Sends a `webhook.test` event now, as each delivery is sent. No list shows the
   * event, and it is never repeated. A disabled endpoint can be tested too.
   */
  sendTestEvent(partition: Partition, id: string): Promise<TestSent>;
  /**
   * Makes final deliveries pending again. Throws `invalid_transition` on a disabled
   * endpoint.
   */
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

  return {
    create: (input) => createEndpoint(ctx, input),
    list: async (partition) => (await webhooks.listEndpoints(partition)).map(render),
    retrieve: async (partition, id) => render(await find(ctx, partition, id)),
    health: async (partition, id) => reportHealth(ctx, await find(ctx, partition, id)),
    enable: (partition, id, options = {}) => enableEndpoint(ctx, partition, id, options),
    rotateSecret: (partition, id, options = {}) => rotateSecret(ctx, partition, id, options),

    async update(partition, id, changes) {
      const { event_types, ...rest } = given(check(EndpointChanges, changes));
      if (rest.url !== undefined) await checkAddress(requireTransport(ctx.transport), rest.url);

      const types = event_types === "*" ? null : event_types;
      return change(ctx, partition, id, {
        ...rest,
        ...(types === undefined ? {} : { event_types: types }),
      });
    },

    async disable(partition, id) {
      const changes = { state: "disabled", disabled_reason: "owner" } as const;
      const endpoint = await change(ctx, partition, id, changes);

      await skipPending(ctx, partition, id);
      return endpoint;
    },

    async delete(partition, id) {
      if (!(await webhooks.deleteEndpoint(partition, checkId("id", id), ctx.now())))
        await notFound(ctx, partition.store_id);

      ctx.endpointChanged(id);
      await skipPending(ctx, partition, id);
    },

    async sendTestEvent(partition, id) {
      const transport = requireTransport(ctx.transport);
      const endpoint = await find(ctx, partition, id);
      await ctx.storage.note?.(testEventSent(partition, id));

      const { keyRing, now } = ctx;
      return sendTestEvent({ transport, keyRing, now }, endpoint, ctx.newId("evt"));
    },

    async recover(partition, id, range) {
      const { since, until, states } = check(RecoveryInput, range);
      const endpoint = await find(ctx, partition, id);
      if (endpoint.state === "disabled")
        fail("invalid_transition", {
          param: "id",
          message: "The endpoint is disabled: enable it first, with `replay_since`.",
        });

      const recovered = await recoverDeliveries(ctx, partition, id, {
        since,
        until: until ?? ctx.now(),
        states: states ?? ["exhausted", "skipped"],
      });
      return { recovered };
    },
  };
}

async function find(ctx: OwnerContext, partition: Partition, id: string): Promise<EndpointRecord> {
  const endpoint = await ctx.storage.webhooks.findEndpoint(partition, checkId("id", id));
  return endpoint ?? notFound(ctx, partition.store_id);
}

async function change(
  ctx: OwnerContext,
  partition: Partition,
  id: string,
  changes: Parameters<WebhookStore["updateEndpoint"]>[2],
): Promise<Endpoint> {
  const { webhooks } = ctx.storage;
  const endpoint = await webhooks.updateEndpoint(partition, checkId("id", id), changes, ctx.now());
  if (!endpoint) return notFound(ctx, partition.store_id);

  ctx.endpointChanged(id);
  return render(endpoint);
}

const skipPending = (ctx: OwnerContext, partition: Partition, id: string): Promise<void> =>
  skipAll({ store: ctx.storage.webhooks, now: ctx.now }, partition.store_id, id);

async function createEndpoint(ctx: OwnerContext, input: EndpointInput): Promise<CreatedEndpoint> {
  const checked = check(EndpointInput, input);
  const { store_id, livemode, url, event_types = "*", description = null } = checked;
  await checkAddress(requireTransport(ctx.transport), url);

  const id = ctx.newId("we");
  const secret = createWebhookSecret(ctx.randomBytes);
  const endpoint: EndpointRecord = {
    id,
    store_id,
    livemode,
    url,
    event_types: event_types === "*" ? null : event_types,
    state: "enabled",
    disabled_reason: null,
    description,
    secrets: [{ sealed: await ctx.keyRing.seal(secret, id), expires_at: null }],
    created_at: ctx.now(),
  };

  const { outcome } = await ctx.storage.webhooks.createEndpoint(endpoint, maxEndpoints);
  if (outcome === "unknown_store") unknownStore();
  if (outcome === "limit")
    fail("parameter_invalid", {
      param: "store_id",
      message: `The store has ${maxEndpoints} endpoints already.`,
    });

  return { ...render(endpoint), secret };
}

async function enableEndpoint(
  ctx: OwnerContext,
  partition: Partition,
  id: string,
  options: EnableInput,
): Promise<Endpoint & Recovered> {
  const { replay_since = null } = check(EnableInput, options);

  // A process that died while it disabled the endpoint can have left pending deliveries. They are
  // skipped first, because only `replay_since` may send the events of that time.
  await skipPending(ctx, partition, checkId("id", id));

  const changes = { state: "enabled", disabled_reason: null } as const;
  const endpoint = await change(ctx, partition, id, changes);
  if (replay_since === null) return { ...endpoint, recovered: 0 };

  const recovered = await recoverDeliveries(ctx, partition, id, {
    since: replay_since,
    until: ctx.now(),
    states: ["exhausted", "skipped"],
  });
  return { ...endpoint, recovered };
}

async function rotateSecret(
  ctx: OwnerContext,
  partition: Partition,
  id: string,
  options: RotationInput,
): Promise<RotatedEndpoint> {
  const { overlap_seconds } = check(RotationInput, options);
  const secret = createWebhookSecret(ctx.randomBytes);
  const sealed = await ctx.keyRing.seal(secret, checkId("id", id));

  const now = ctx.now();
  const old_until = now + (overlap_seconds ?? dayInSeconds) * 1_000;
  const rotation = { sealed, old_until, max: maxSecrets, now };
  const endpoint = await ctx.storage.webhooks.rotateSecret(partition, id, rotation);
  if (!endpoint) return notFound(ctx, partition.store_id);

  ctx.endpointChanged(id);
  return { ...render(endpoint), secret, old_secret_expires_at: iso(old_until) };
}

async function checkAddress(transport: WebhookTransport, url: string): Promise<void> {
  const verdict = await transport.check(url);
  if (!verdict.ok)
    fail("endpoint_url_not_allowed", {
      param: "url",
      message: `The webhook URL is not allowed: ${verdict.reason}.`,
    });
}
