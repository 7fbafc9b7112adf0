import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect } from "vitest";
import type { AcpEndpoint } from "vitrine/acp";
import { askEndpoint, type Sent } from "./agent-http.ts";

export const endpointUrl = "https://shop.example.com/acp";
export const versions = ["2026-01-30", "2026-04-17"] as const;
export type Version = (typeof versions)[number];

const read = (version: Version, name: string) =>
  JSON.parse(
    readFileSync(new URL(`../fixtures/acp/${version}/${name}.json`, import.meta.url), "utf8"),
  );

/** The protocol's own examples, by their names. */
// biome-ignore lint/suspicious/noExplicitAny: tests read into JSON freely
export const examples = (version: Version): Record<string, any> => read(version, "examples");

const compiled = new Map(
  versions.map((version) => {
    const ajv = new Ajv2020({ strict: false });
    ajv.addFormat("uri", (text) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text) && URL.canParse(text));
    ajv.addFormat("date-time", (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text));
    ajv.addFormat("email", (text) => /^\S+@\S+$/.test(text));
    const schema = read(version, "schema");
    ajv.addSchema(schema);
    ajv.addSchema(read("2026-04-17", "feed"), "feed");
    const find = (name: string): ValidateFunction => {
      const found = ajv.getSchema(name.includes("#") ? name : `${schema.$id}#/$defs/${name}`);
      if (!found) throw new Error(`There is no schema ${name}.`);
      return found;
    };
    return [version, find];
  }),
);

/** Judges a document by one of the official schemas, e.g. `CheckoutSession`. */
export function judge(version: Version, name: string, document: unknown): void {
  const validate = compiled.get(version)?.(name) as ValidateFunction;
  const fits = validate(document);
  const told = `${name}: ${JSON.stringify(validate.errors)}\n${JSON.stringify(document)}`;
  expect(fits, told).toBe(true);
}

/** The schemas of a request, and of an answer of success, by the path. */
const schemas: readonly (readonly [RegExp, string, string])[] = [
  [/^\/checkout_sessions$/, "CheckoutSessionCreateRequest", "CheckoutSession"],
  [/\/complete$/, "CheckoutSessionCompleteRequest", "CheckoutSessionWithOrder"],
  [/\/cancel$/, "CancelSessionRequest", "CheckoutSession"],
  [/^\/checkout_sessions\//, "CheckoutSessionUpdateRequest", "CheckoutSession"],
];

/** An agent: it sends what the protocol says, and judges each request and answer by its schemas. */
export function acpClient(endpoint: AcpEndpoint, key: string, version: Version = "2026-04-17") {
  return async (method: string, path: string, body?: unknown, sent: Sent = {}) => {
    const [, asked, given] = schemas.find(([pattern]) => pattern.test(path)) ?? [];
    if (asked && body !== undefined && !sent.wrong) judge(version, asked, body);

    const headers = {
      authorization: `Bearer ${key}`,
      "api-version": version,
      "request-id": crypto.randomUUID(),
      "idempotency-key": method === "POST" ? crypto.randomUUID() : undefined,
      ...sent.headers,
    };
    const isKnown = path.startsWith("/.well-known");
    const url = isKnown ? `https://shop.example.com${path}` : endpointUrl + path;
    const answer = await askEndpoint(endpoint, { method, url, body, headers }, sent);

    expect(answer.status).not.toBe(500);
    expect(answer.text).not.toMatch(/hk_(live|test)_(pub|sec)_\w{8}/);
    if (!isKnown) expect(answer.headers.get("request-id")).toBe(headers["request-id"]);
    // Versions are told by the newest schema, which has a field for them.
    if (answer.status >= 400)
      judge(answer.body.supported_versions ? "2026-04-17" : version, "Error", answer.body);
    else if (given) judge(version, given, answer.body);
    return answer;
  };
}

export type AcpClient = ReturnType<typeof acpClient>;
