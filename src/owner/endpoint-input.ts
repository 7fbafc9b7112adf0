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
/** Without `event_types` an endpoint receives every type, those of later versions too. */
export type EndpointInput = z.input<typeof EndpointInput>;

export const EndpointChanges = z.strictObject({
  url: z.string().optional(),
  event_types: types.optional(),
  description: text(500).nullish(),
});
export type EndpointChanges = z.input<typeof EndpointChanges>;

const week = 7 * 86_400;
export const RotationInput = z.strictObject({
  overlap_seconds: z.int().min(0).max(week).nullish(),
});
/** How long the old secret goes on signing beside the new one: 24 h by default, at most 7 days; 0 when it has leaked. */
export type RotationInput = z.input<typeof RotationInput>;

export const EnableInput = z.strictObject({ replay_since: moment.nullish() });
/** `replay_since`: sends what was skipped or exhausted from then on. */
export type EnableInput = z.input<typeof EnableInput>;

export const RecoveryInput = z.strictObject({
  since: moment,
  until: moment.nullish(),
  states: z.array(z.enum(finalStates)).min(1).max(finalStates.length).nullish(),
});
/** By the events' time, both inclusive, until now by default; `exhausted` and `skipped` by default. */
export type RecoveryInput = z.input<typeof RecoveryInput>;
