import { z } from "zod";
import { eventSchema, eventSchemaName } from "../event-schemas.ts";
import type { EventType } from "../events.ts";
import { eventTexts } from "./descriptions.ts";
import { eventExample } from "./event-examples.ts";
import { type JsonObject, tidy } from "./openapi-schemas.ts";

/**
 * Gives the schema of an event as a document of its own, in JSON Schema 2020-12.
 * Objects may have further fields, because v1 may add some.
 */
export function eventSchemaDocument(type: EventType, url: string): JsonObject {
  const { $schema, ...schema } = z.toJSONSchema(eventSchema(type), { override: tidy });
  return {
    $schema,
    $id: url,
    title: eventSchemaName(type),
    description: eventTexts[type],
    ...schema,
    examples: [eventExample(type)],
  };
}
