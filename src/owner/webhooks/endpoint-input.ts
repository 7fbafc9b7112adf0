import { z } from "zod";
import { type EventType, eventTypes } from "../../contract/events.ts";
import { check } from "../../input/check.ts";
import { foreignId, moment, text } from "../../input/fields.ts";
import type { Partition } from "../../rules/records.ts";
import { finalStates } from "../../rules/webhooks/webhook-records.ts";

const types = z.union(
  [
    z.literal("*"),
    z
      .array(z.enum(eventTypes as [EventType, ...EventType[]]))
      .min(1)
      .max(eventTypes.length)
      .readonly(),
  ],
  `must be "*" or a list of event types: ${eventTypes.join(", ")}`,
);

const EndpointPartition = z.object({ store_id: foreignId, livemode: z.boolean() });

/** Reads the store and mode that a call names first. */
export const checkPartition = (partition: Partition): Partition =>
  check(EndpointPartition, partition);

export const EndpointInput = z.strictObject({
  store_id: foreignId,
  livemode: z.boolean(),
  url: z.string(),
  event_types: types.nullish(),
  description: text(500).nullish(),
});
/**
 * Describes a new endpoint. Without `event_types` it receives every type, also
 * those of later versions.
 */
export interface EndpointInput extends z.input<typeof EndpointInput> {}

export const EndpointChanges = z.strictObject({
  url: z.string().optional(),
  event_types: types.optional(),
  description: text(500).nullish(),
});
/** Changes an endpoint. A field that is left out stays as it is. */
export interface EndpointChanges extends z.input<typeof EndpointChanges> {}

const weekInSeconds = 7 * 86_400;
export const RotationInput = z.strictObject({
  overlap_seconds: z.int().min(0).max(weekInSeconds).nullish(),
});
/**
 * How long the old secret signs too. For `overlap_seconds` it signs beside the new one. The default
 * is 24 h, and 7 days is the most. Use 0 when the old secret has leaked.
 */
export interface RotationInput extends z.input<typeof RotationInput> {}

export const EnableInput = z.strictObject({ replay_since: moment.nullish() });
/**
 * What an endpoint that is enabled again gets. When `replay_since` is given, the skipped and
 * exhausted deliveries of events since that time are sent again. The time may be a Date, a number
 * of epoch milliseconds, or ISO 8601 text with an offset.
 */
export interface EnableInput extends z.input<typeof EnableInput> {}

export const RecoveryInput = z.strictObject({
  since: moment,
  until: moment.nullish(),
  states: z.array(z.enum(finalStates)).min(1).max(finalStates.length).nullish(),
});
/**
 * Selects the deliveries of events from `since` to `until`, both inclusive. `until`
 * is now by default. `states` are `exhausted` and `skipped` by default.
 */
export interface RecoveryInput extends z.input<typeof RecoveryInput> {}
