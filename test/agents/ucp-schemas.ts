import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect } from "vitest";

const folder = new URL("../fixtures/ucp/schemas/", import.meta.url);
const host = "https://ucp.dev/schemas/";

type Json = Record<string, unknown>;

const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".json"))
  .map((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as Json);

type Role = "create" | "update" | "complete" | null;

/**
 * Makes the schema of a request out of the protocol's one schema: `ucp_request` says what a request
 * must have, may have, and must not have.
 */
function forRole(schema: unknown, role: Role): unknown {
  if (Array.isArray(schema)) return schema.map((each) => forRole(each, role));
  if (typeof schema !== "object" || schema === null) return schema;

  const made: Json = {};
  for (const [name, value] of Object.entries(schema)) made[name] = forRole(value, role);
  const { properties } = schema as { properties?: Record<string, Json> };
  // Inside `properties` both words are names of fields.
  const isSchema = typeof properties === "object" && Array.isArray(made["required"] ?? []);
  if (role === null || properties === undefined || !isSchema) return made;

  const required = new Set((made["required"] as string[] | undefined) ?? []);
  for (const [name, { ucp_request: rule }] of Object.entries(properties)) {
    const told = typeof rule === "object" && rule !== null ? (rule as Json)[role] : rule;
    if (told === "required") required.add(name);
    if (told === "optional" || told === "omit") required.delete(name);
    if (told === "omit") (made["properties"] as Json)[name] = false;
  }
  if (required.size > 0) made["required"] = [...required];
  else delete made["required"];
  return made;
}

function judges(role: Role): Ajv2020 {
  const ajv = new Ajv2020({ strict: false });
  ajv.addFormat("uri", (text) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text) && URL.canParse(text));
  ajv.addFormat("date-time", (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text));
  ajv.addFormat("date", /^\d{4}-\d\d-\d\d$/);
  for (const schema of files) ajv.addSchema(forRole(schema, role) as Json);
  return ajv;
}

const byRole = new Map<Role, Ajv2020>();

function find(ref: string, role: Role): ValidateFunction {
  const ajv = byRole.get(role) ?? judges(role);
  byRole.set(role, ajv);
  const found = ajv.getSchema(host + ref);
  if (!found) throw new Error(`There is no schema ${ref}.`);
  return found;
}

/** Judges a document by one of the protocol's official schemas, e.g. `shopping/checkout.json`. */
export function judge(ref: string, document: unknown, role: Role = null): void {
  const validate = find(ref, role);
  const fits = validate(document);
  expect(fits, `${ref}: ${JSON.stringify(validate.errors)}\n${JSON.stringify(document)}`).toBe(
    true,
  );
}
