import { z } from "zod";
import { type EventType, eventTypes } from "../contract/events.ts";
import { foreignId, moment, text } from "../input/fields.ts";
import { finalStates } from "../rules/webhook-records.ts";

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
/** Without `event_types` an endpoint receives every type, also those of later versions. */
export interface EndpointInput extends z.input<typeof EndpointInput> {}

export const EndpointChanges = z.strictObject({
  url: z.string().optional(),
  event_types: types.optional(),
  description: text(500).nullish(),
});
/** A field that is left out stays as it is. */
export interface EndpointChanges extends z.input<typeof EndpointChanges> {}

const weekInSeconds = 7 * 86_400;
export const RotationInput = z.strictObject({
  overlap_seconds: z.int().min(0).max(weekInSeconds).nullish(),
});
/**
 * For `overlap_seconds` the old secret signs too, beside the new one: 24 h by
 * default, 7 days at most. Use 0 when the old secret has leaked.
 */
export interface RotationInput extends z.input<typeof RotationInput> {}

export const EnableInput = z.strictObject({ replay_since: moment.nullish() });
/**
 * With `replay_since` the skipped and exhausted deliveries of events since that
 * time are sent again. A time is a Date, epoch milliseconds, or ISO 8601 text with
 * an offset.
 */
export interface EnableInput extends z.input<typeof EnableInput> {}

export const RecoveryInput = z.strictObject({
  since: moment,
  until: moment.nullish(),
  states: z.array(z.enum(finalStates)).min(1).max(finalStates.length).nullish(),
});
/**
 * The deliveries of events from `since` to `until`, both inclusive; `until` is now
 * by default. `states` are `exhausted` and `skipped` by default.
 */
export interface RecoveryInput extends z.input<typeof RecoveryInput> {}
