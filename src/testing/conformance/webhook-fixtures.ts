import { createKeyRing } from "../../domain/key-ring.ts";
import type { AlertRecord } from "../../rules/records.ts";
import { defaultSchedule } from "../../rules/schedule.ts";
import type { DeliveryRecord, EndpointRecord } from "../../rules/webhook-records.ts";
import {
  type DrainContext,
  type DrainOptions,
  type DrainReport,
  drain,
} from "../../webhooks/drain.ts";
import type { Sent, WebhookPost } from "../../webhooks/transport.ts";
import { type CaseContext, fixtures } from "./case.ts";

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;
export const partition = { store_id: "str_A", livemode: false } as const;

const keyRing = createKeyRing([new Uint8Array(32).fill(7)], (length) =>
  crypto.getRandomValues(new Uint8Array(length)),
);

type Answer = Partial<Sent> | Promise<Partial<Sent>>;

/** The real engine on the storage under test; beyond the machine stands `receiver`. */
export async function engine(context: CaseContext) {
  const { storage, clock, newId } = context;
  const posts: WebhookPost[] = [];
  const told: AlertRecord[] = [];
  const errors: unknown[] = [];
  const receiver: { answer(post: WebhookPost): Answer } = { answer: () => ({}) };
  const make = fixtures(context);
  await make.shop();

  const worker = (changes: Partial<DrainContext> = {}): DrainContext => ({
    store: storage.webhooks,
    transport: {
      check: async () => ({ ok: true }),
      async send(post) {
        posts.push(post);
        return {
          ok: true,
          status: 200,
          error: null,
          snippet: "",
          duration_ms: 1,
          ...(await receiver.answer(post)),
        };
      },
    },
    keyRing,
    scheduleMs: defaultSchedule,
    leaseMs: 60_000,
    now: clock.now,
    onEndpointChange: () => () => {},
    newToken: () => newId("req"),
    newAlertId: () => newId("alr"),
    tellAlert: async (alert) => void told.push(alert),
    onError: (error) => void errors.push(error),
    ...changes,
  });

  return {
    ...make,
    posts,
    told,
    errors,
    receiver,
    worker,
    drain: (
      options: DrainOptions = {},
      changes: Partial<DrainContext> = {},
    ): Promise<DrainReport> => drain(worker(changes), options),
    async endpoint(id: string, changes: Partial<EndpointRecord> = {}): Promise<string> {
      const record: EndpointRecord = {
        ...partition,
        id,
        url: `https://${id.replace("_", "-")}.example.com/`,
        event_types: ["order.paid"],
        state: "enabled",
        disabled_reason: null,
        description: null,
        secrets: [{ sealed: await keyRing.seal(`whsec_${id}`, id), expires_at: null }],
        created_at: clock.now(),
        ...changes,
      };
      await storage.webhooks.createEndpoint(record, 50);
      return id;
    },
    seal: (secret: string, id: string) => keyRing.seal(secret, id),
    /** One paid order: one `order.paid`, three events in all. */
    async sell(count = 1): Promise<void> {
      for (let turn = 0; turn < count; turn += 1)
        await storage.orders.completeSession(make.completion(await make.openSession()));
    },
    rows: (query: object = {}): Promise<readonly DeliveryRecord[]> =>
      storage.webhooks.listDeliveries({ ...partition, limit: 1_000, ...query }),
    async states(query: object = {}): Promise<readonly string[]> {
      return (await storage.webhooks.listDeliveries({ ...partition, limit: 1_000, ...query })).map(
        ({ state }) => state,
      );
    },
  };
}

export const refuse = { ok: false, status: 500, error: "http_status" } as const;
