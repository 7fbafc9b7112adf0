import { type PublicErrorCode, publicErrors } from "../errors.ts";
import { eventSchemaName } from "../event-schemas.ts";
import { type EventType, eventTypes } from "../events.ts";
import { type Operation, paths } from "../paths.ts";
import type { Route } from "../route.ts";
import { routes } from "../routes.ts";
import { eventAdvice, eventTexts, tags } from "./descriptions.ts";
import { remedies } from "./error-remedies.ts";
import { eventExample } from "./event-examples.ts";
import { idExamples, parameterExamples } from "./examples.ts";
import {
  headers,
  parameters,
  requestIdExample,
  securitySchemes,
  signatureParameters,
} from "./openapi-parts.ts";
import { responsesOf } from "./openapi-responses.ts";
import {
  exampleOf,
  type JsonObject,
  nameOf,
  parametersOf,
  schemaComponents,
  schemaRef,
} from "./openapi-schemas.ts";
import { operationTexts } from "./operation-texts.ts";

export { type Operation, paths } from "../paths.ts";

/** `openApiDocument` takes the addresses of the API and of its error reference. */
export interface OpenApiOptions {
  /**
   * The address of the API with its base path, `/v1` by default. Without a
   * host it is relative to the address of the document.
   */
  readonly serverUrl?: string | undefined;
  /**
   * The address of the error reference. The default is the page
   * `/docs/errors` of this API.
   */
  readonly docsUrl?: string | undefined;
}

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** An operation or a webhook of the document. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly [part: string]: unknown;
}

const description = `Headless storefront: catalog, checkout sessions, orders and events \
of one store, the one that the API key belongs to.

- Send \`Authorization: Bearer <key>\` on every call. \
A browser adds its publishable key as the query parameter \`key\` too, \
and its origin must be registered.
- Money is an integer in minor units of \`currency\`. Times are ISO 8601 UTC. \
An absent value is \`null\`.
- Within v1 routes, optional parameters, fields, error codes, enum values and event types \
may be added: ignore what you do not know.
- \`HEAD\` works wherever \`GET\` does. A query name given twice is \`parameter_invalid\`.`;

/** Describes the API as OpenAPI 3.1, made from the same tables that the server uses. */
export function openApiDocument({
  serverUrl = "/v1",
  docsUrl = "docs/errors",
}: OpenApiOptions = {}): OpenApiDocument {
  const codes = Object.keys(publicErrors) as PublicErrorCode[];
  const examples = codes.map((code) => [code, errorExample(code, docsUrl)] as const);

  return {
    openapi: "3.1.1",
    info: { title: "Storefront API", version: "v1", description },
    servers: [{ url: serverUrl === "" ? "/" : serverUrl }],
    tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
    paths: pathItems(),
    webhooks: Object.fromEntries(eventTypes.map((type) => [type, { post: webhook(type) }])),
    components: {
      schemas: schemaComponents(),
      parameters,
      headers,
      securitySchemes,
      examples: Object.fromEntries(examples),
    },
  };
}

/** Gives the method and the path of an operation. */
export function addressOf(operation: Operation): {
  readonly method: string;
  readonly path: string;
} {
  const [method = "", path = ""] = paths[operation].split(" ");
  return { method, path };
}

function pathItems(): OpenApiDocument["paths"] {
  const items: Record<string, Record<string, OpenApiOperation>> = {};
  for (const operation of Object.keys(paths) as Operation[]) {
    const { method, path } = addressOf(operation);
    items[path] = {
      ...items[path],
      [method.toLowerCase()]: describeOperation(operation, routes[operation]),
    };
  }
  return items;
}

function describeOperation(operation: Operation, route: Route): OpenApiOperation {
  const { tag, summary, text } = operationTexts[operation];
  const examples = { ...parameterExamples, id: idExamples[operation] };
  return {
    operationId: operation,
    summary,
    description: text,
    tags: [tag],
    ...(route.deprecation ? { deprecated: true } : {}),
    security: securityOf(route),
    parameters: [
      ...parametersOf(route.params, "path", examples),
      ...parametersOf(route.query, "query", examples),
      ...(route.idempotent ? [parameterRef("IdempotencyKey")] : []),
      ...(route.cache === "none" ? [] : [parameterRef("IfNoneMatch")]),
      ...(route.cache === "none" ? [parameterRef("BuyerIp")] : []),
    ],
    ...(route.body ? { requestBody: bodyOf(route.body) } : {}),
    responses: responsesOf(route),
  };
}

const jsonBody = (content: JsonObject): JsonObject => ({
  required: true,
  content: { "application/json": content },
});

const bodyOf = (body: NonNullable<Route["body"]>): JsonObject =>
  jsonBody({ schema: schemaRef(nameOf(body)), example: exampleOf(body) });

/**
 * Gives the kinds of key that the route accepts, with its scope. A buyer's token is
 * there too if the route reads one.
 */
function securityOf(route: Route): JsonObject[] {
  const scopes = route.scope === null ? [] : [route.scope];
  // Tools take the first choice. Only routes for publishable keys are called from browsers.
  const ofStorefronts = [{ publishableKey: scopes }, { publishableKey: scopes, browserKey: [] }];
  const keys = [...(route.key === "secret" ? [] : ofStorefronts), { secretKey: scopes }];
  const choices = keys.flatMap((key): JsonObject[] => [
    ...(route.buyer === "required" ? [] : [key]),
    ...(route.buyer ? [{ ...key, customerToken: [] }] : []),
  ]);
  return route.fullScope ? [...choices, { secretKey: [route.fullScope] }] : choices;
}

const parameterRef = (name: keyof typeof parameters): JsonObject => ({
  $ref: `#/components/parameters/${name}`,
});
function errorExample(code: PublicErrorCode, docsUrl: string): JsonObject {
  const [, type, message] = publicErrors[code];
  const error = { type, code, message, param: null, docs_url: `${docsUrl}#${code}` };

  return {
    summary: message,
    ...(remedies[code] ? { description: remedies[code] } : {}),
    value: { error, livemode: false, request_id: requestIdExample },
  };
}

function webhook(type: EventType): OpenApiOperation {
  const names = Object.keys(signatureParameters) as (keyof typeof signatureParameters)[];

  return {
    operationId: `on${eventSchemaName(type)}`,
    summary: eventTexts[type],
    description:
      `${eventAdvice[type]} Verify \`X-Service-Signature\` over the raw body ` +
      "before parsing it. Delivery is at least once.",
    tags: ["Webhooks"],
    security: [],
    parameters: names.map(parameterRef),
    requestBody: jsonBody({
      schema: schemaRef(eventSchemaName(type)),
      example: eventExample(type),
    }),
    responses: {
      "2XX": {
        description:
          "Received. Anything else, or no answer within 15 s, " +
          "is tried again after 1 m, 5 m, 30 m, 2 h, 6 h and 24 h.",
      },
    },
  };
}
