import type { JsonObject } from "../../contract/openapi/openapi-schemas.ts";

// The parts of the API document are read by these.

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
