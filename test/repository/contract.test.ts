import { expect, test } from "vitest";
import { z } from "zod";
import { publicErrors, serviceErrors } from "../../src/contract/errors.ts";
import { eventData } from "../../src/contract/event-schemas.ts";
import { eventTypes } from "../../src/contract/events.ts";
import { eventTexts } from "../../src/contract/openapi/descriptions.ts";
import { type Operation, paths } from "../../src/contract/paths.ts";
import type { LimitName, Route } from "../../src/contract/route.ts";
import { routes } from "../../src/contract/routes.ts";
import * as schemas from "../../src/contract/schemas.ts";
import { publishableScopes, type Scope, scopes } from "../../src/contract/scopes.ts";
import { idPrefixes } from "../../src/domain/keys/ids.ts";
import { defaultSchedule } from "../../src/rules/webhooks/schedule.ts";
import { defaultLimits } from "../../src/startup/options/read-limits.ts";
import { contractFiles, readText, root } from "../support/markdown.ts";

// The tables of docs/contract/*.md that the code holds: `vitest -u` writes them anew.

type Lines = readonly string[];

const code = (text: string): string => `\`${text}\``;
const row = (...cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const tableOf = (titles: readonly string[], rows: Lines): Lines => [
  row(...titles),
  row(...titles.map(() => "---")),
  ...rows,
];
const operations = Object.keys(routes) as readonly Operation[];

/** Each of them opens the route. */
const scopesOf = ({ scope, fullScope }: Route): readonly Scope[] =>
  [scope, fullScope].filter((name) => name !== null && name !== undefined);

function routeTable(): Lines {
  const rows = operations.map((operation) => {
    const route: Route = routes[operation];
    const scope = scopesOf(route).map(code).join(" or ") || "–";
    const idempotency = route.idempotent ? "required" : "–";

    return row(
      code(paths[operation]),
      route.key,
      scope,
      code(route.limit),
      route.buyer ?? "–",
      idempotency,
    );
  });

  const titles = ["method and path", "key", "scope", "rate limit", "buyer token"];
  return tableOf([...titles, code("Idempotency-Key")], rows);
}

function scopeTable(): Lines {
  const publishable: readonly Scope[] = publishableScopes;

  const rows = scopes.map((scope) => {
    const opened = operations.filter((operation) => scopesOf(routes[operation]).includes(scope));
    const list = opened.map((operation) => code(paths[operation])).join(", ");
    return row(code(scope), publishable.includes(scope) ? "yes" : "no", list);
  });

  return tableOf(["scope", "a publishable key can hold it", "routes"], rows);
}

function errorTable(): Lines {
  const rows = Object.entries(publicErrors).map(([name, [status, type, message]]) =>
    row(code(name), String(status), code(type), message),
  );

  return tableOf(["code", "status", "type", "default message"], rows);
}

function serviceErrorTable(): Lines {
  const rows = Object.entries(serviceErrors).map(([name, [status, message]]) =>
    row(code(name), String(status), message),
  );
  return tableOf(["code", "status in a route of yours", "default message"], rows);
}

function idTable(): Lines {
  const rows = Object.entries(idPrefixes).map(([prefix, name]) => row(code(`${prefix}_`), name));
  return tableOf(["id prefix", "what it names"], rows);
}

const countedBy: Readonly<Record<LimitName, string>> = {
  checkout: "store, mode and client address",
  sessions: "store, mode and client address",
  coupons: "store, mode and client address",
  licenses: "store, mode and client address",
  payments: "store, mode and buyer's address",
  catalog: "client address; a secret key counts by itself",
  orders: "key",
  customers: "the buyer token's subject",
  agents: "store, mode and agent (`channel`)",
  agentSessions: "the same, and checkout session",
  agentStores: "store and mode, all agents together",
};

function limitTable(): Lines {
  const names = Object.keys(defaultLimits) as readonly LimitName[];

  const rows = names.map((name) => {
    const limit = defaultLimits[name];
    const value = limit ? `${limit.limit} in ${limit.window_ms / 1_000} s` : "off";
    const isShared = /^(checkout|coupons|licenses|payments|agents|agentSessions|agentStores)$/.test(
      name,
    );
    const place = isShared ? "the storage" : "the process";
    return row(code(name), value, countedBy[name], place);
  });

  const unknownKeys = "client address; only look-ups of unknown keys count";
  const last = row(code("unknownKeys"), "off", unknownKeys, "the process");
  return tableOf(["limit", "default", "counted by", "counted in"], [...rows, last]);
}

const units = [
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
] as const;

function durationOf(ms: number): string {
  const [size, unit] = units.find(([one]) => ms % one === 0) ?? [1, "ms"];
  return `${ms / size} ${unit}`;
}

function scheduleTable(): Lines {
  const waits = defaultSchedule.map((wait, index) => row(String(index + 1), durationOf(wait)));
  const last = row(String(waits.length + 1), "none: the delivery is `exhausted`");
  return tableOf(["failed attempt", "wait before the next"], [...waits, last]);
}

function eventTable(): Lines {
  const rows = eventTypes.map((type) =>
    row(code(type), eventTexts[type], code(Object.keys(eventData[type].shape).join(", "))),
  );

  return tableOf(["type", "when", code("data")], rows);
}

/** What a field holds, as far as one line can say it: the fields of an object, the values of an enum. */
function inside(schema: unknown): string {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return inside(schema.unwrap());
  if (schema instanceof z.ZodArray) return `[]${inside(schema.element)}`;
  if (schema instanceof z.ZodEnum) return ` (${schema.options.join(", ")})`;
  if (schema instanceof z.ZodObject) return ` {${fieldsOf(schema)}}`;
  return "";
}

const fieldsOf = (schema: z.ZodObject): string =>
  Object.entries(schema.shape)
    .map(([name, field]) => `${name}${inside(field)}`)
    .join(", ");

/** At most 100 characters a line, as the prose around it. */
function wrapped(text: string): Lines {
  const lines: string[] = [];

  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= 100)
      lines[lines.length - 1] += ` ${word}`;
    else lines.push(lines.length === 0 ? word : `  ${word}`);
  }

  return lines;
}

function resourceList(): Lines {
  const { Store, Category, PaymentMethod, Product, Order, Subscription } = schemas;
  const { CheckoutSession, CheckoutSessionStatus } = schemas;
  const [valid, invalid] = schemas.CouponValidation.options;
  const shown: Readonly<Record<string, z.ZodObject>> = {
    Store,
    Category,
    "Payment method": PaymentMethod,
    Product,
    "Checkout session": CheckoutSession,
    "Checkout session read with a publishable key": CheckoutSessionStatus,
    Order,
    Subscription,
    "Coupon validation, valid": valid,
    "Coupon validation, not valid": invalid,
  };

  return Object.entries(shown).flatMap(([name, schema]) =>
    wrapped(`- **${name}**: ${fieldsOf(schema)}`),
  );
}

const tables: Readonly<Record<string, () => Lines>> = {
  ids: idTable,
  routes: routeTable,
  scopes: scopeTable,
  resources: resourceList,
  events: eventTable,
  schedule: scheduleTable,
  errors: errorTable,
  "service-errors": serviceErrorTable,
  limits: limitTable,
};

test("the tables of the contract are those of the code", async () => {
  const names: (string | undefined)[] = [];

  for (const file of contractFiles) {
    const marked = /<!-- generated: ([\w-]+) -->\n[\s\S]*?<!-- end -->/g;
    const expected = readText(file).replace(marked, (_all, name: string) => {
      const table = tables[name];
      if (!table) throw new Error(`No table is called ${name}.`);
      names.push(name);
      return `<!-- generated: ${name} -->\n${table().join("\n")}\n<!-- end -->`;
    });
    await expect(expected).toMatchFileSnapshot(`${root}/${file}`);
  }

  expect(names.toSorted()).toEqual(Object.keys(tables).toSorted());
});

test("the contract lists each of its chapters", () => {
  const listed = [
    ...readText("docs/contract.md").matchAll(/^\| \[[^\]]+\]\((contract\/[\w-]+\.md)\)/gm),
  ];
  expect(listed.map(([, path]) => `docs/${path}`).toSorted()).toEqual(contractFiles.toSorted());
});
