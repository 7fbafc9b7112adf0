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
import type { Sent, WebhookPost, WebhookTransport } from "../../webhooks/transport.ts";
import type { CaseContext } from "./case.ts";
import { endpointRecord, sell } from "./delivery-fixtures.ts";
import { fixtures } from "./fixtures.ts";
import { partition } from "./record-fixtures.ts";

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

const keyRing = createKeyRing([new Uint8Array(32).fill(7)], (length) =>
  crypto.getRandomValues(new Uint8Array(length)),
);

type Reply = Partial<Sent> | Promise<Partial<Sent>>;

/** A receiver that refuses every post answers this. */
export const refuse = { ok: false, status: 500, error: "http_status" } as const;

/** Makes a transport that keeps every post and lets `receiver` answer it. */
function recordingTransport() {
  const posts: WebhookPost[] = [];
  const receiver: { answer(post: WebhookPost): Reply } = { answer: () => ({}) };
  const accepted = { ok: true, status: 200, error: null, snippet: "", duration_ms: 1 } as const;

  const transport: WebhookTransport = {
    check: async () => ({ ok: true }),
    async send(post) {
      posts.push(post);
      return { ...accepted, ...(await receiver.answer(post)) };
    },
  };
  return { posts, receiver, transport };
}

/** Runs the real delivery engine on the storage under test. */
export async function engine(context: CaseContext) {
  const { storage, clock, newId } = context;

  const { posts, receiver, transport } = recordingTransport();
  const told: AlertRecord[] = [];
  const errors: unknown[] = [];
  const make = fixtures(context);
  await make.shop();

  const worker = (changes: Partial<DrainContext> = {}): DrainContext => ({
    store: storage.webhooks,
    transport,
    keyRing,
    scheduleMs: defaultSchedule,
    leaseMs: 60_000,
    now: clock.now,
    monotonicNow: () => performance.now(),
    onEndpointChange: () => () => {},
    newToken: () => newId("req"),
    newAlertId: () => newId("alr"),
    tellAlert: async (alert) => void told.push(alert),
    onError: (error) => void errors.push(error),
    ...changes,
  });
  const run = (
    options: DrainOptions = {},
    changes: Partial<DrainContext> = {},
  ): Promise<DrainReport> => drain(worker(changes), options);

  const seal = (secret: string, id: string): Promise<string> => keyRing.seal(secret, id);
  const endpoint = async (id: string, changes: Partial<EndpointRecord> = {}): Promise<string> => {
    const record = endpointRecord(id, {
      url: `https://${id.replace("_", "-")}.example.com/`,
      event_types: ["order.paid"],
      secrets: [{ sealed: await seal(`whsec_${id}`, id), expires_at: null }],
      created_at: clock.now(),
      ...changes,
    });
    await storage.webhooks.createEndpoint(record, 50);
    return id;
  };
  const rows = (query: object = {}): Promise<readonly DeliveryRecord[]> =>
    storage.webhooks.listDeliveries({ ...partition, limit: 1_000, ...query });
  const states = async (query: object = {}): Promise<readonly string[]> =>
    (await rows(query)).map(({ state }) => state);

  const steps = { drain: run, seal, endpoint, rows, states };
  const sellHere = (count = 1): Promise<void> => sell(context, count);
  return { ...make, ...steps, sell: sellHere, worker, posts, told, errors, receiver };
}
