import { type Books, emit, findObject, newId } from "./books.ts";
import { invalidRequest, missing } from "./fault.ts";
import { type Form, fieldsOf, listOf, numberOf, textOf, textsOf } from "./form.ts";
import { cancelIntent, createIntent } from "./intents.ts";
import { detachMethod } from "./methods.ts";
import { createRefund } from "./refunds.ts";
import { createSession, expireSession } from "./sessions.ts";
import { cancelSetup, createSetup } from "./setups.ts";

export interface Answer {
  readonly status: number;
  readonly body: { readonly [field: string]: unknown };
}

type Shelf =
  | "sessions"
  | "intents"
  | "setups"
  | "charges"
  | "attempts"
  | "refunds"
  | "disputes"
  | "transactions"
  | "customers"
  | "methods"
  | "events";

interface Call {
  readonly books: Books;
  readonly params: Form;
  /** The parts of the path that the template names. */
  readonly id: string;
  /** The version of the API that the client asks for. */
  readonly version: string;
}

type Handler = (call: Call) => object;

const retrieve =
  (shelf: Shelf, kind: string): Handler =>
  ({ books, id }) => {
    const found = books[shelf].get(id);
    if (!found) throw missing(kind, id);
    return found;
  };

const list =
  (shelf: Shelf, url: string, filters: readonly string[]): Handler =>
  ({ books, params }) => {
    const { gte = 0, lte = Number.MAX_SAFE_INTEGER } = range(params["created"]);
    const newestFirst = [...books[shelf].values()].reverse();
    const fitting = newestFirst.filter(
      (object) =>
        object.created >= gte &&
        object.created <= lte &&
        filters.every((name) => params[name] === undefined || object[name] === params[name]),
    );
    const after = textOf(params["starting_after"]);
    const from = after === null ? 0 : fitting.findIndex(({ id }) => id === after) + 1;
    const limit = numberOf(params["limit"]) ?? 10;
    if (limit < 1 || limit > 100)
      throw invalidRequest("limit must be 1 to 100.", { param: "limit" });

    const data = fitting.slice(from, from + limit);
    return { object: "list", url, data, has_more: fitting.length > from + limit };
  };

function range(created: Form[string] | undefined) {
  const { gte, lte } = fieldsOf(created);
  return { gte: numberOf(gte) ?? undefined, lte: numberOf(lte) ?? undefined };
}

const createCustomer: Handler = ({ books, params }) => {
  const customer = {
    id: newId("cus"),
    object: "customer",
    created: books.now(),
    email: textOf(params["email"]),
    livemode: false,
    metadata: textsOf(params["metadata"]),
    name: textOf(params["name"]),
  };
  books.customers.set(customer.id, customer);
  emit(books, "customer.created", customer);
  return customer;
};

/** The operations of the fake, by the paths of Stripe's document. */
const handlers: Readonly<Record<string, Handler>> = {
  "POST /v1/checkout/sessions": ({ books, params, version }) =>
    createSession(books, params, version),
  "GET /v1/checkout/sessions": list("sessions", "/v1/checkout/sessions", ["payment_intent"]),
  "GET /v1/checkout/sessions/{session}": retrieve("sessions", "checkout.session"),
  "POST /v1/checkout/sessions/{session}/expire": ({ books, id }) => expireSession(books, id),
  "POST /v1/payment_intents": ({ books, params }) => createIntent(books, params),
  "GET /v1/payment_intents": list("intents", "/v1/payment_intents", ["customer"]),
  "GET /v1/payment_intents/{intent}": retrieve("intents", "payment_intent"),
  "POST /v1/payment_intents/{intent}/cancel": ({ books, id, params }) =>
    cancelIntent(books, id, textOf(params["cancellation_reason"])),
  "POST /v1/setup_intents": ({ books, params }) => createSetup(books, params),
  "GET /v1/setup_intents": list("setups", "/v1/setup_intents", []),
  "GET /v1/setup_intents/{intent}": retrieve("setups", "setup_intent"),
  "POST /v1/setup_intents/{intent}/cancel": ({ books, id, params }) =>
    cancelSetup(books, id, textOf(params["cancellation_reason"])),
  "POST /v1/refunds": ({ books, params }) => createRefund(books, params),
  "GET /v1/refunds": list("refunds", "/v1/refunds", ["payment_intent", "charge"]),
  "GET /v1/refunds/{refund}": retrieve("refunds", "refund"),
  "GET /v1/setup_attempts": list("attempts", "/v1/setup_attempts", ["setup_intent"]),
  "GET /v1/charges": list("charges", "/v1/charges", ["payment_intent"]),
  "GET /v1/charges/{charge}": retrieve("charges", "charge"),
  "GET /v1/disputes/{dispute}": retrieve("disputes", "dispute"),
  "GET /v1/balance_transactions": list("transactions", "/v1/balance_transactions", ["currency"]),
  "POST /v1/customers": createCustomer,
  "GET /v1/customers/{customer}": retrieve("customers", "customer"),
  "GET /v1/customers": list("customers", "/v1/customers", ["email"]),
  "GET /v1/payment_methods/{payment_method}": retrieve("methods", "payment_method"),
  "POST /v1/payment_methods/{payment_method}/detach": ({ books, id }) => detachMethod(books, id),
  "GET /v1/events": list("events", "/v1/events", ["type"]),
  "GET /v1/events/{id}": retrieve("events", "event"),
};

const routes = Object.entries(handlers).map(([route, handler]) => {
  const [method = "", path = ""] = route.split(" ");
  return {
    method,
    path,
    handler,
    pattern: new RegExp(`^${path.replace(/\{[a-z_]+\}/, "([^/]+)")}$`),
  };
});

export interface Route {
  readonly method: string;
  /** The path as the document writes it. */
  readonly path: string;
  readonly id: string;
  readonly handler: Handler;
}

export function findRoute(method: string, path: string): Route | null {
  for (const route of routes) {
    const match = route.method === method ? route.pattern.exec(path) : null;
    if (match) return { ...route, id: match[1] ?? "" };
  }
  return null;
}

/** Runs an operation. The answer is a copy: what the books change later is not seen in it. */
export function answerCall(route: Route, call: Omit<Call, "id">): Answer {
  const body = structuredClone(route.handler({ ...call, id: route.id })) as Answer["body"];
  const paths = listOf(call.params["expand"]).map(String);
  return {
    status: 200,
    body: paths.reduce((shown, path) => expand(call.books, shown, path), body),
  };
}

/**
 * Puts objects in the place of their ids: `payment_intent`, or `data.payment_intent` in a list. A
 * path expands each object on its way: `latest_charge.balance_transaction`.
 */
function expand(books: Books, body: Answer["body"], path: string): Answer["body"] {
  const [field = "", ...rest] = path.split(".");
  const value = body[field];
  const inner = (object: object): object =>
    rest.length === 0 ? object : expand(books, object as Answer["body"], rest.join("."));
  if (Array.isArray(value)) return { ...body, [field]: value.map(inner) };
  if (typeof value === "object" && value !== null) return { ...body, [field]: inner(value) };
  if (typeof value !== "string") return body;

  const found = findObject(books, value);
  return found ? { ...body, [field]: inner(structuredClone(found)) } : body;
}
