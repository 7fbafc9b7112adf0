import { z } from "zod";
import { fail } from "../contract/errors.ts";
import { type EventType, eventTypes } from "../contract/events.ts";
import { iso } from "../contract/render.ts";
import { createWebhookSecret } from "../domain/api-keys.ts";
import { invalidOption } from "../option-error.ts";
import type { Partition } from "../storage/records.ts";
import type { EndpointRecord } from "../storage/webhook-store.ts";
import type { WebhookTransport } from "../webhooks/transport.ts";
import { notFound, type OwnerContext, unknownStore } from "./context.ts";
import { foreignId, text } from "./fields.ts";
import { check, checkId, given } from "./input.ts";

/** CONTRACT 4. */
const maxEndpoints = 50;
const types = z.union([
  z.literal("*"),
  z
    .array(z.enum(eventTypes as [EventType, ...EventType[]]))
    .min(1)
    .max(eventTypes.length)
    .readonly(),
]);

export const EndpointInput = z.strictObject({
  store_id: foreignId,
  livemode: z.boolean(),
  url: z.string(),
  event_types: types.nullish(),
  description: text(500).nullish(),
});
/** Without `event_types` an endpoint receives every type, those of later versions too. */
export type EndpointInput = z.input<typeof EndpointInput>;

const EndpointChanges = z.strictObject({ url: z.string().optional(), event_types: types.optional(), description: text(500).nullish() });
export type EndpointChanges = z.input<typeof EndpointChanges>;

export interface Endpoint extends Partition {
  readonly id: string;
  readonly url: string;
  readonly event_types: readonly EventType[] | "*";
  readonly state: "enabled" | "disabled";
  readonly disabled_reason: string | null;
  readonly description: string | null;
  /** ISO 8601 UTC. */
  readonly created_at: string;
}

export interface CreatedEndpoint extends Endpoint {
  /** `whsec_…`, here and never again: it is sealed at rest. */
  readonly secret: string;
}

export interface OwnerEndpoints {
  /** Checks the address as every delivery will; throws `endpoint_url_not_allowed`, or `invalid_option` without a transport. */
  create(input: EndpointInput): Promise<CreatedEndpoint>;
  list(partition: Partition): Promise<readonly Endpoint[]>;
  retrieve(partition: Partition, id: string): Promise<Endpoint>;
  update(partition: Partition, id: string, changes: EndpointChanges): Promise<Endpoint>;
  /** Its pending deliveries become `skipped`. */
  disable(partition: Partition, id: string): Promise<Endpoint>;
  enable(partition: Partition, id: string): Promise<Endpoint>;
  delete(partition: Partition, id: string): Promise<void>;
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
  const change = async (partition: Partition, id: string, changes: Parameters<typeof webhooks.updateEndpoint>[2]): Promise<Endpoint> => {
    const endpoint = await webhooks.updateEndpoint(partition, checkId("id", id), changes, ctx.now());
    return endpoint ? render(endpoint) : notFound(ctx, partition.store_id);
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
        event_types: event_types === undefined || event_types === null || event_types === "*" ? null : event_types,
        state: "enabled",
        disabled_reason: null,
        description: description ?? null,
        secrets: [{ sealed: await ctx.keyRing.seal(secret, id), expires_at: null }],
        created_at: ctx.now(),
      };
      const { outcome } = await webhooks.createEndpoint(endpoint, maxEndpoints);
      if (outcome === "unknown_store") unknownStore();
      if (outcome === "limit")
        fail("parameter_invalid", { param: "store_id", message: `The store has ${maxEndpoints} endpoints already.` });
      return { ...render(endpoint), secret };
    },
    list: async (partition) => (await webhooks.listEndpoints(partition)).map(render),
    async retrieve(partition, id) {
      const endpoint = await webhooks.findEndpoint(partition, checkId("id", id));
      return endpoint ? render(endpoint) : notFound(ctx, partition.store_id);
    },
    async update(partition, id, changes) {
      const { event_types, ...rest } = given(check(EndpointChanges, changes));
      if (rest.url !== undefined) await checkAddress(requireTransport(ctx.transport), rest.url);
      return change(partition, id, {
        ...rest,
        ...(event_types === undefined ? {} : { event_types: event_types === "*" ? null : event_types }),
      });
    },
    disable: (partition, id) => change(partition, id, { state: "disabled", disabled_reason: "owner" }),
    enable: (partition, id) => change(partition, id, { state: "enabled", disabled_reason: null }),
    async delete(partition, id) {
      if (!(await webhooks.deleteEndpoint(partition, checkId("id", id), ctx.now()))) await notFound(ctx, partition.store_id);
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
  if (!verdict.ok) fail("endpoint_url_not_allowed", { param: "url", message: `The webhook URL is not allowed: ${verdict.reason}.` });
}
