import { z } from "zod";
import { ProductFacets } from "../catalog/facets-schema.ts";
import { ProductSuggestion } from "../catalog/suggestion-schema.ts";
import { License } from "../entitlement-schema.ts";
import { eventSchema, eventSchemaName } from "../event-schemas.ts";
import { eventTypes } from "../events.ts";
import {
  CheckoutChange,
  CheckoutRequest,
  CouponRequest,
  LicenseActivation,
  LicenseDeactivation,
  LicenseRequest,
} from "../request-bodies.ts";
import * as schemas from "../schemas.ts";
import { fieldTexts } from "./descriptions.ts";
import { eventExample } from "./event-examples.ts";
import * as example from "./examples.ts";
import * as license from "./license-examples.ts";

/** A part of the document. */
export interface JsonObject {
  [name: string]: unknown;
}

interface Named {
  readonly schema: z.ZodType;
  readonly example: unknown;
}

/** Holds the schemas of the answers under their public names, each with an example. */
const answers: Readonly<Record<string, Named>> = {
  Store: { schema: schemas.Store, example: example.storeExample },
  Product: { schema: schemas.Product, example: example.productExample },
  ProductSuggestion: { schema: ProductSuggestion, example: example.suggestionExample },
  ProductFacets: { schema: ProductFacets, example: example.facetsExample },
  Category: { schema: schemas.Category, example: example.categoryExample },
  PaymentMethod: { schema: schemas.PaymentMethod, example: example.paymentMethodExample },
  CheckoutSession: { schema: schemas.CheckoutSession, example: example.sessionExample },
  CheckoutSessionStatus: {
    schema: schemas.CheckoutSessionStatus,
    example: example.sessionStatusExample,
  },
  CheckoutSessionDetails: {
    schema: schemas.CheckoutSessionDetails,
    example: example.sessionDetailsExample,
  },
  RetrievedCheckoutSession: {
    schema: schemas.RetrievedCheckoutSession,
    example: example.sessionStatusExample,
  },
  LineItem: { schema: schemas.LineItem, example: example.lineItemExample },
  CouponValidation: { schema: schemas.CouponValidation, example: example.couponExample },
  License: { schema: License, example: license.licenseExample },
  Order: { schema: schemas.Order, example: example.orderExample },
  OrderItem: { schema: schemas.OrderItem, example: example.orderItemExample },
  Customer: { schema: schemas.Customer, example: example.customerExample },
  Subscription: { schema: schemas.Subscription, example: example.subscriptionExample },
  Event: { schema: schemas.Event, example: eventExample("order.paid") },
  ...Object.fromEntries(
    eventTypes.map((type) => [
      eventSchemaName(type),
      { schema: eventSchema(type), example: eventExample(type) },
    ]),
  ),
};

/** Holds the schemas of the bodies that a client sends. */
const requests: Readonly<Record<string, Named>> = {
  CheckoutSessionChange: { schema: CheckoutChange, example: example.checkoutChangeExample },
  CheckoutSessionRequest: { schema: CheckoutRequest, example: example.checkoutRequestExample },
  LicenseActivationRequest: {
    schema: LicenseActivation,
    example: license.licenseActivationExample,
  },
  LicenseDeactivationRequest: {
    schema: LicenseDeactivation,
    example: license.licenseDeactivationExample,
  },
  LicenseValidationRequest: { schema: LicenseRequest, example: license.licenseRequestExample },
  CouponValidationRequest: { schema: CouponRequest, example: example.couponRequestExample },
};

export const nameOf = (schema: z.ZodType): string => {
  const found = Object.entries({ ...answers, ...requests }).find(
    ([, named]) => named.schema === schema,
  );
  if (!found) throw new Error("A schema of the routes has no public name.");
  return found[0];
};

/** Gives the example of a schema of the routes. */
export const exampleOf = (schema: z.ZodType): unknown =>
  ({ ...answers, ...requests })[nameOf(schema)]?.example;

export const schemaRef = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** Gives what the document has under `components.schemas`. */
export const schemaComponents = (): JsonObject => ({
  ...convert(requests, "input"),
  ...convert(answers, "output"),
  Error: errorSchema,
});

/** Gives the query or path parameters of a route, as they stand in the address. */
export function parametersOf(
  object: z.ZodObject | undefined,
  place: "query" | "path",
  examples: Readonly<Record<string, unknown>> = {},
): JsonObject[] {
  if (!object) return [];

  const { properties = {}, required = [] } = z.toJSONSchema(object, {
    io: "input",
    override: tidy,
  });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(parameterTexts[name] ? { description: parameterTexts[name] } : {}),
    schema,
    ...(name in examples ? { example: examples[name] } : {}),
  }));
}

const parameterTexts: Readonly<Record<string, string>> = {
  page: "Counts from 1. `page * limit` is at most 10,000.",
  limit: "Rows of a page, 20 by default.",
  category: "Slug of a category; an unknown one gives an empty list.",
  category_id: "Id of a category.",
  search: "Part of a name or slug.",
  q: "The beginning of a name, or of a word in it.",
  status: "Only orders in this state.",
  checkout_session_id: "Only the order of this checkout session.",
  starting_after: "`next_cursor` of the page before, with the same filters.",
  id_or_slug: "Id or slug of the product.",
  id: "Id of the resource.",
};

function convert(named: Readonly<Record<string, Named>>, io: "input" | "output"): JsonObject {
  // In zod's global registry the names would appear in documents that the host makes with zod.
  const registry = z.registry<{ id: string }>();
  for (const [id, { schema }] of Object.entries(named)) registry.add(schema, { id });
  const converted = z.toJSONSchema(registry, {
    io,
    uri: (id) => `#/components/schemas/${id}`,
    override: tidy,
  });
  return Object.fromEntries(
    Object.entries(named).map(([name, { example: value }]) => {
      const { $schema: _schema, $id: _id, ...schema } = converted.schemas[name] ?? {};
      return [name, { ...describeFields(name, schema), examples: [value] }];
    }),
  );
}

/**
 * Deletes what zod writes and readers do not need. Objects also lose
 * `additionalProperties: false`, because v1 may add fields.
 */
export function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.format === "date-time" || jsonSchema.type === "integer") delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  const { propertyNames } = jsonSchema;
  // Names are always texts in JSON. A schema that says only this is left out.
  if (typeof propertyNames === "object" && propertyNames.maxLength === undefined)
    delete jsonSchema.propertyNames;
}

function describeFields(name: string, schema: JsonObject): JsonObject {
  const texts = new Map(Object.entries(fieldTexts)).get(/Event$/.test(name) ? "Event" : name) ?? {};
  const properties = schema["properties"] as Readonly<Record<string, JsonObject>> | undefined;
  if (!properties) return schema;
  const described = Object.entries(properties).map(([field, value]) => [
    field,
    texts[field] ? { ...value, description: texts[field] } : value,
  ]);
  return { ...schema, properties: Object.fromEntries(described) };
}

const errorSchema: JsonObject = {
  type: "object",
  description: "Act on `error.code`; `error.message` may change.",
  required: ["error", "livemode", "request_id"],
  properties: {
    error: {
      type: "object",
      required: ["type", "code", "message", "param", "docs_url"],
      properties: {
        type: { type: "string", description: "Family of the code." },
        code: { type: "string", description: "Stable. New codes may appear." },
        message: { type: "string" },
        param: {
          type: ["string", "null"],
          description: "The parameter at fault, e.g. `items[0].quantity`.",
        },
        docs_url: { type: "string", format: "uri" },
      },
    },
    livemode: { type: "boolean" },
    request_id: { type: "string" },
  },
};
