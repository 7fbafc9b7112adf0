import { fail } from "../../contract/errors.ts";
import { createWebhookSecret } from "../../domain/keys/api-keys.ts";
import { iso } from "../../domain/text/iso.ts";
import { check, checkId, given } from "../../input/check.ts";
import { testEventSent } from "../../rules/audit/audit-changes.ts";
import type { Partition } from "../../rules/records.ts";
import { type EndpointRecord, maxEndpoints } from "../../rules/webhooks/webhook-records.ts";
import { deleteRecord } from "../../steps/record-steps.ts";
import {
  createEndpoint,
  type EndpointRecordChanges,
  rotateSecret,
  updateEndpoint,
} from "../../steps/webhooks/endpoint-steps.ts";
import { skipAll } from "../../webhooks/send/skip.ts";
import { sendTestEvent, type TestSent } from "../../webhooks/test-event.ts";
import { notFound, type OwnerContext, unknownStore } from "../context.ts";
import { type UpdateOptions, writeExpected } from "../expected.ts";
import { requireKnownStore } from "../known-store.ts";
import { checkAddress } from "./endpoint-address.ts";
import { type EndpointHealthReport, reportHealth } from "./endpoint-health.ts";
import {
  checkPartition,
  EnableInput,
  EndpointChanges,
  EndpointInput,
  RecoveryInput,
  RotationInput,
} from "./endpoint-input.ts";
import { recoverDeliveries } from "./endpoint-recovery.ts";
import { find, findEndpoint, requireOwn } from "./find-endpoint.ts";
import { requireTransport } from "./require-transport.ts";
import { type Endpoint, renderEndpoint } from "./shown-endpoint.ts";

export const maxSecrets = 3;
const dayInSeconds = 86_400;

/** A new endpoint with its secret. */
export interface CreatedEndpoint extends Endpoint {
  /** Begins with `whsec_`. It is shown only here, and the storage has it encrypted. */
  readonly secret: string;
}

/** An endpoint with its new secret. The old secret signs too for a time. */
export interface RotatedEndpoint extends CreatedEndpoint {
  /** The time until which the old secret signs too, in ISO 8601, in UTC. */
  readonly old_secret_expires_at: string;
}

/** The number of deliveries that a recovery has started again. */
export interface Recovered {
  /** The number of deliveries that will be sent again, each with a new retry schedule. */
  readonly recovered: number;
}

/** Manages the webhook endpoints of a store. */
export interface OwnerEndpoints {
  /**
   * Creates an endpoint. It checks the address by the same rules as each delivery.
   * Throws `endpoint_url_not_allowed`, and `invalid_option` when the storefront has
   * no transport.
   */
  create(input: EndpointInput): Promise<CreatedEndpoint>;
  /** Lists all endpoints of the store in this mode. */
  list(partition: Partition): Promise<readonly Endpoint[]>;
  /** Reads an endpoint. Throws `resource_not_found` for an endpoint of another store. */
  retrieve(partition: Partition, id: string): Promise<Endpoint>;
  /**
   * Changes an endpoint. It checks a new address as `create` does. Throws
   * `resource_not_found` for an unknown endpoint, `precondition_failed` when
   * `expected` is no longer what is stored, and `invalid_transition` for the address or the
   * events of an agent's endpoint.
   */
  update(
    partition: Partition,
    id: string,
    changes: EndpointChanges,
    options?: UpdateOptions<Endpoint>,
  ): Promise<Endpoint>;
  /** Disables the endpoint. Its pending deliveries become `skipped`. */
  disable(partition: Partition, id: string): Promise<Endpoint>;
  /**
   * Enables the endpoint and forgets its past failures. Without `replay_since` the
   * deliveries that were skipped meanwhile stay skipped. `recover` can send them at
   * any time.
   */
  enable(partition: Partition, id: string, options?: EnableInput): Promise<Endpoint & Recovered>;
  /**
   * Deletes an endpoint. Its pending deliveries are skipped. Throws
   * `resource_not_found` for an endpoint of another store.
   */
  delete(partition: Partition, id: string): Promise<void>;
  /** Gives the last success, and the share of attempts that the receiver accepted. */
  health(partition: Partition, id: string): Promise<EndpointHealthReport>;
  /**
   * Makes a new secret, which is shown only here. Until the overlap ends, each
   * delivery has one signature for each valid secret. An endpoint has three secrets
   * at most. Throws `invalid_transition` for an agent's endpoint.
   */
  rotateSecret(partition: Partition, id: string, options?: RotationInput): Promise<RotatedEndpoint>;
  /**
   * Sends a `webhook.test` event now, as each delivery is sent. No list shows the
   * event, and it is never repeated. A disabled endpoint can be tested too. Throws
   * `invalid_transition` for an agent's endpoint.
   */
  sendTestEvent(partition: Partition, id: string): Promise<TestSent>;
  /**
   * Makes final deliveries pending again. Throws `invalid_transition` on a disabled
   * endpoint.
   */
  recover(partition: Partition, id: string, range: RecoveryInput): Promise<Recovered>;
}

export function createEndpoints(ctx: OwnerContext): OwnerEndpoints {
  const { webhooks, records } = ctx.storage;

  return {
    create: (input) => create(ctx, input),
    retrieve: async (partition, id) => renderEndpoint(await find(ctx, partition, id)),
    health: async (partition, id) => reportHealth(ctx, await find(ctx, partition, id)),
    enable: (partition, id, options = {}) => enableEndpoint(ctx, partition, id, options),
    rotateSecret: (partition, id, options = {}) => rotate(ctx, partition, id, options),

    async list(partition) {
      const where = checkPartition(partition);
      const endpoints = await webhooks.listEndpoints(where);
      if (endpoints.length === 0) await requireKnownStore(ctx, where.store_id);
      return endpoints.map(renderEndpoint);
    },

    async update(partition, id, changes, options = {}) {
      const { event_types, ...rest } = given(check(EndpointChanges, changes));
      if (rest.url !== undefined || event_types !== undefined) await requireOwn(ctx, partition, id);
      if (rest.url !== undefined) await checkAddress(requireTransport(ctx.transport), rest.url);

      const types = event_types === "*" ? null : event_types;
      const changed = { ...rest, ...(types === undefined ? {} : { event_types: types }) };
      return change(ctx, { partition, id }, changed, options);
    },

    async disable(partition, id) {
      const changes = { state: "disabled", disabled_reason: "owner" } as const;
      const endpoint = await change(ctx, { partition, id }, changes);

      await skipPending(ctx, partition, id);
      return endpoint;
    },

    async delete(partition, id) {
      const where = checkPartition(partition);
      if (!(await deleteRecord(records, "endpoint", { ...where, id: checkId("id", id) })))
        await notFound(ctx, where.store_id);

      ctx.endpointChanged(id);
      await skipPending(ctx, partition, id);
    },

    async sendTestEvent(partition, id) {
      const transport = requireTransport(ctx.transport);
      const endpoint = await requireOwn(ctx, partition, id);
      await ctx.storage.audit.note(testEventSent(partition, id));

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

interface EndpointPlace {
  readonly partition: Partition;
  readonly id: string;
}

async function change(
  ctx: OwnerContext,
  { partition, id }: EndpointPlace,
  changes: EndpointRecordChanges,
  options: UpdateOptions<Endpoint> = {},
): Promise<Endpoint> {
  const { records } = ctx.storage;
  const where = checkPartition(partition);
  checkId("id", id);
  const endpoint = await writeExpected({
    options,
    find: () => findEndpoint(ctx, where, id),
    render: renderEndpoint,
    write: (before) => updateEndpoint(records, { ...where, id }, changes, before),
  });
  if (!endpoint) return notFound(ctx, where.store_id);

  ctx.endpointChanged(id);
  return renderEndpoint(endpoint);
}

const skipPending = (ctx: OwnerContext, partition: Partition, id: string): Promise<void> =>
  skipAll({ store: ctx.storage.webhooks, now: ctx.now }, partition.store_id, id);

async function create(ctx: OwnerContext, input: EndpointInput): Promise<CreatedEndpoint> {
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

  const { outcome } = await createEndpoint(ctx.storage.records, endpoint, maxEndpoints);
  if (outcome === "unknown_store") unknownStore();
  if (outcome === "limit")
    fail("parameter_invalid", {
      param: "store_id",
      message: `The store has ${maxEndpoints} endpoints already.`,
    });

  return { ...renderEndpoint(endpoint), secret };
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
  await skipPending(ctx, checkPartition(partition), checkId("id", id));

  const changes = { state: "enabled", disabled_reason: null } as const;
  const endpoint = await change(ctx, { partition, id }, changes);
  if (replay_since === null) return { ...endpoint, recovered: 0 };

  const recovered = await recoverDeliveries(ctx, partition, id, {
    since: replay_since,
    until: ctx.now(),
    states: ["exhausted", "skipped"],
  });
  return { ...endpoint, recovered };
}

async function rotate(
  ctx: OwnerContext,
  partition: Partition,
  id: string,
  options: RotationInput,
): Promise<RotatedEndpoint> {
  const where = checkPartition(partition);
  const { overlap_seconds } = check(RotationInput, options);
  await requireOwn(ctx, where, id);
  const secret = createWebhookSecret(ctx.randomBytes);
  const sealed = await ctx.keyRing.seal(secret, checkId("id", id));

  const now = ctx.now();
  const old_until = now + (overlap_seconds ?? dayInSeconds) * 1_000;
  const rotation = { sealed, old_until, max: maxSecrets, now };
  const endpoint = await rotateSecret(ctx.storage.records, { ...where, id }, rotation);
  if (!endpoint) return notFound(ctx, where.store_id);

  ctx.endpointChanged(id);
  return { ...renderEndpoint(endpoint), secret, old_secret_expires_at: iso(old_until) };
}
