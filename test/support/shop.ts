import { expect } from "vitest";
import {
  createStorefront,
  type Storage,
  type Storefront,
  type StorefrontOptions,
  sandboxGateway,
} from "vitrine";
import type { PaymentGateway } from "vitrine/gateway";
import type { Sent, WebhookPost } from "vitrine/transport";
import { isPublicError, publicErrors } from "../../src/contract/errors.ts";
import { type Operation, paths } from "../../src/contract/paths.ts";
import { compileRouter } from "../../src/http/router.ts";
import type { WireRequest } from "../../src/http/wire.ts";
import { afterEveryTest } from "./after-test.ts";
import { checkAgainstDocument, checkEvent } from "./answer-check.ts";
import { textOf } from "./reply-text.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string | null;
  // Bodies are checked against the contract's schemas by `call`; tests read into them freely.
  // biome-ignore lint/suspicious/noExplicitAny: JSON of an answer
  readonly body: any;
}

export interface CallOptions {
  readonly key?: string | null;
  readonly headers?: Record<string, string | undefined>;
  readonly body?: unknown;
  /** These bytes are sent unchanged instead of `body`. */
  readonly raw?: Uint8Array | string;
  readonly ip?: string;
  /** The agent by whose endpoint the call comes. */
  readonly channel?: string;
}

export interface Keys {
  readonly pub: string;
  readonly sec: string;
}

export const origin = "https://shop.example-a.com";
export const returnUrl = "https://shop.example-a.com/ok";
export const start = Date.UTC(2026, 0, 15, 12, 0, 0, 0);
export const tokenSecret = new Uint8Array(32).fill(9);

const match = compileRouter(paths);

/** An error in a transport would look like a failed delivery, so it is kept for the test's end. */
const wrongEvents: unknown[] = [];

/** No log line of any test may contain a key, a secret, a token or an unmasked tax id. */
const loggedSecret =
  /hk_(live|test)_(pub|sec)_\w|whsec_\w|eyJ[\w-]+\.|\.(live|test)\.cs_|\d{3}\.\d{3}\.\d{3}-\d\d|Bearer \w/;
const leaks: string[] = [];

afterEveryTest(() => {
  const found = { wrongEvents: wrongEvents.splice(0), leaks: leaks.splice(0) };
  expect(found).toEqual({ wrongEvents: [], leaks: [] });
});

function noteEvent(body: string): void {
  try {
    checkEvent(body);
  } catch (error) {
    wrongEvents.push(error);
  }
}

/**
 * Opens a storefront with its own clock and recorded webhooks. It has two stores: the tests sell in
 * A, and B must never see anything of it.
 */
export async function createShop(storage: Storage, options: Partial<StorefrontOptions> = {}) {
  let now = start;
  const calls: string[] = [];
  const posts: WebhookPost[] = [];
  const alerts: string[] = [];
  const errors: unknown[] = [];
  const log: string[] = [];
  const write = (details: object, message: string): void => {
    const line = `${message} ${JSON.stringify(details)}`;
    log.push(line);
    if (loggedSecret.test(line)) leaks.push(line);
  };
  const receiver: { answer: (post: WebhookPost) => Partial<Sent> } = { answer: () => ({}) };
  const counted = countCalls(storage, calls);
  const storefront: Storefront = createStorefront({
    storage: counted,
    checkout: { baseUrl: "https://pay.example.com/c" },
    docsUrl: "https://docs.example.com/errors",
    gateways: [sandboxGateway(), liveGateway],
    customerTokens: { keys: [{ kid: "k1", alg: "HS256", secret: tokenSecret }] },
    transport: {
      check: async () => ({ ok: true }),
      async send(post) {
        posts.push(post);
        noteEvent(typeof post.body === "string" ? post.body : new TextDecoder().decode(post.body));
        return {
          ok: true,
          status: 200,
          error: null,
          snippet: "",
          duration_ms: 1,
          ...receiver.answer(post),
        };
      },
    },
    sealKey: new Uint8Array(32).fill(3),
    accessCacheMs: 0,
    onAlert: (alert) => void alerts.push(alert.type),
    onError: (error) => void errors.push(error),
    logger: { debug: write, info: write, warn: write, error: write },
    now: () => now,
    ...options,
  });
  const { owner } = storefront;

  const call = async (
    method: string,
    path: string,
    { key, headers = {}, body, raw, ip = "203.0.113.9", channel }: CallOptions = {},
  ): Promise<Answer> => {
    const sent: Record<string, string | undefined> = {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(body !== undefined || raw !== undefined ? { "content-type": "application/json" } : {}),
      ...Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      ),
    };
    const request: WireRequest = {
      method,
      target: `/v1${path}`,
      ip,
      ...(channel !== undefined && { channel }),
      header: (name) => sent[name],
      async body(limit) {
        const bytes =
          raw instanceof Uint8Array
            ? raw
            : new TextEncoder().encode(raw ?? (body === undefined ? "" : JSON.stringify(body)));
        return bytes.length > limit ? null : bytes;
      },
    };
    const reply = await storefront.serve(request);
    if (!reply) throw new Error("The path was not ours.");
    const text = await textOf(reply.body);
    const answer: Answer = {
      status: reply.status,
      headers: reply.headers,
      text,
      body: text === null || text === "" ? null : JSON.parse(text),
    };
    checkAnswer(method, path, answer);
    return answer;
  };

  const createStore = async (name: string) => {
    const store = await owner.stores.create({ name, currency: "BRL" });
    await owner.stores.update(store.id, { headless_enabled: true });
    const pair = async (livemode: boolean): Promise<Keys> => ({
      pub: (await owner.keys.create({ store_id: store.id, livemode, kind: "publishable" })).key,
      sec: (await owner.keys.create({ store_id: store.id, livemode, kind: "secret" })).key,
    });
    const method = await owner.paymentMethods.create(store.id, {
      type: "pix",
      name: "Pix",
      currencies: ["BRL"],
      gateway: "sandbox",
    });
    await owner.paymentMethods.create(store.id, {
      type: "card",
      name: "Card",
      currencies: ["BRL"],
      gateway: "acquirer",
    });
    return { id: store.id, live: await pair(true), test: await pair(false), method_id: method.id };
  };
  const a = await createStore("Store A");
  const b = await createStore("Store B");
  await owner.origins.add(a.id, origin);
  await owner.returnUrls.add(a.id, returnUrl);
  await owner.origins.add(b.id, "https://shop.example-b.com");
  await owner.returnUrls.add(b.id, "https://shop.example-b.com/ok");
  const product = await owner.products.create(a.id, {
    name: "Product A",
    price: 1000,
    currency: "BRL",
  });
  const foreign = await owner.products.create(b.id, {
    name: "Product B",
    price: 500,
    currency: "BRL",
  });
  await owner.coupons.create(a.id, {
    code: "SAVE10",
    discount_type: "percentage",
    discount_amount: 10,
  });
  await owner.coupons.create(b.id, {
    code: "ONLYB",
    discount_type: "percentage",
    discount_amount: 10,
  });

  let keys = 0;
  const session = (
    body: Record<string, unknown> = {},
    options: CallOptions = {},
  ): Promise<Answer> =>
    call("POST", "/checkout/sessions", {
      key: a.test.pub,
      ...options,
      body: {
        items: [{ product_id: product.id, quantity: 1 }],
        success_url: returnUrl,
        cancel_url: returnUrl,
        ...body,
      },
      headers: { "idempotency-key": `key-${++keys}`, ...options.headers },
    });
  const tokenOf = (answer: Answer): string => answer.body.data.checkout_url.split("/").at(-1);

  return {
    storefront,
    owner,
    storage,
    a,
    b,
    product,
    foreign,
    calls,
    posts,
    alerts,
    errors,
    log,
    receiver,
    call,
    get: (path: string, options?: CallOptions) => call("GET", path, options),
    post: (path: string, options?: CallOptions) => call("POST", path, options),
    session,
    tokenOf,
    /** Makes a paid test order in store A. */
    async buy(body: Record<string, unknown> = {}, options: CallOptions = {}, submit: object = {}) {
      const made = await session(body, options);
      const result = await storefront.checkout.submit(tokenOf(made), {
        payment_method_id: a.method_id,
        ...submit,
      });
      return result.order;
    },
    now: () => now,
    advance(ms: number): void {
      now += ms;
    },
  };
}

export type Shop = Awaited<ReturnType<typeof createShop>>;

/** Makes a gateway that stands for a remote payment provider. */
const liveGateway: PaymentGateway = {
  id: "acquirer",
  livemode: true,
  methods: () => [],
  createPayment: async ({ id, amount, currency }) => ({
    status: "succeeded",
    reference: `acq_${id}`,
    amount,
    currency,
  }),
};

const secretText = /hk_(live|test)_(pub|sec)_[0-9A-Za-z]{8,}|whsec_[0-9A-Za-z]+/;

/** Checks what holds for every answer: envelope, error table, API document, and no secret inside. */
function checkAnswer(method: string, path: string, answer: Answer): void {
  const { status, headers, text, body } = answer;
  expect(headers["x-request-id"]).toMatch(/^req_/);
  expect(JSON.stringify(headers) + (text ?? "")).not.toMatch(secretText);
  if (status === 204) {
    expect(text).toBeNull();
    return;
  }
  const operation = operationOf(method, path);
  if (operation) checkAgainstDocument(operation, method, answer);
  if (status === 304) {
    expect(text).toBeNull();
    return;
  }
  expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(headers["x-content-type-options"]).toBe("nosniff");
  if (method === "HEAD") {
    expect(text).toBeNull();
    return;
  }
  expect(typeof body.livemode).toBe("boolean");
  if (!headers["idempotent-replayed"]) expect(body.request_id).toBe(headers["x-request-id"]);
  if (status >= 400) checkError(status, headers, body);
}

/** Returns null when no operation matches; such a request is answered with a protocol error. */
function operationOf(method: string, path: string): Operation | null {
  try {
    return match(method, path.split("?")[0] ?? "").operation;
  } catch {
    return null;
  }
}

function checkError(status: number, headers: Record<string, string>, body: Answer["body"]): void {
  const { code, type, message, docs_url } = body.error;
  expect(Object.keys(body).sort()).toEqual(["error", "livemode", "request_id"]);
  expect(Object.keys(body.error).sort()).toEqual(["code", "docs_url", "message", "param", "type"]);
  if (!isPublicError(code)) throw new Error(`${code} is no code of the table`);
  expect([status, type]).toEqual(publicErrors[code].slice(0, 2));
  expect(docs_url).toBe(`https://docs.example.com/errors#${code}`);
  expect(message.length).toBeGreaterThan(10);
  if (status === 401) expect(headers["www-authenticate"]).toBe("Bearer");
  if (status === 429 || code === "store_maintenance" || code === "service_unavailable")
    expect(Number(headers["retry-after"])).toBeGreaterThanOrEqual(1);
}

/** Records the name of every storage method that is called. */
function countCalls(storage: Storage, calls: string[]): Storage {
  const wrap = <T extends object>(store: T, name: string): T =>
    new Proxy(store, {
      get(target, method) {
        const value = Reflect.get(target, method);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          // The uses of keys are written a second behind the answer, so no request counts them.
          if (method !== "noteKeyUses") calls.push(`${name}.${String(method)}`);
          return value.apply(target, args);
        };
      },
    });
  return {
    ...storage,
    access: wrap(storage.access, "access"),
    catalog: wrap(storage.catalog, "catalog"),
    checkout: wrap(storage.checkout, "checkout"),
    orders: wrap(storage.orders, "orders"),
    webhooks: wrap(storage.webhooks, "webhooks"),
    limits: wrap(storage.limits, "limits"),
  };
}

export const codeOf = ({ status, body }: Answer): readonly [number, string] => [
  status,
  body.error.code,
];
export const faultOf = ({ status, body }: Answer): readonly [number, string, string | null] => [
  status,
  body.error.code,
  body.error.param,
];

/** Returns the error that a call of the service API rejects with. */
export const thrownBy = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => new Error("Nothing was refused."),
    (error: unknown) => error,
  );
