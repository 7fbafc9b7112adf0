import { fail } from "../contract/errors.ts";
import type { WebhookEvent } from "../contract/events.ts";
import type { CheckoutSession, Order, Subscription } from "../contract/schemas.ts";
import { memoryStorage } from "../memory/memory-storage.ts";
import type { StorefrontOptions } from "../options.ts";
import type { ProductInput } from "../owner/product-input.ts";
import type { OwnerProduct } from "../owner/products.ts";
import type { SubmitInput } from "../payments/inputs.ts";
import { type SandboxOutcome, sandboxGateway } from "../payments/sandbox-gateway.ts";
import type { Partition } from "../rules/records.ts";
import { createStorefront, type Storefront } from "../storefront.ts";
import { verifyWebhook } from "../webhooks/verify.ts";

export interface TestShopOptions extends Partial<StorefrontOptions> {
  /** Epoch milliseconds that the clock begins at; 1 January 2026 by default. */
  readonly startAt?: number;
  /** ISO 4217; BRL by default. */
  readonly currency?: string;
}

/** A store of its own with a clock of its own, for the tests of what you build on it: every step reads like a sentence of the story. */
export interface TestShop {
  readonly storefront: Storefront;
  /** The store, in test mode: what the service calls take. */
  readonly where: Partition;
  readonly keys: { readonly publishable: string; readonly secret: string };
  /** What a receiver got and verified so far, in the order it came. */
  readonly webhooks: readonly WebhookEvent[];
  now(): number;
  /** Moves the clock, then does what time has made due: maintenance, and webhooks with their retries. */
  advanceClock(ms: number): Promise<void>;
  product(input?: Partial<ProductInput>): Promise<OwnerProduct>;
  /** Through the API, with the publishable key. */
  checkout(
    items: readonly { readonly product_id: string; readonly quantity: number }[],
    more?: Record<string, unknown>,
  ): Promise<CheckoutSession>;
  /** The buyer submits the hosted page; `outcome` is the sandbox's (`succeed` by default). */
  pay(
    session: CheckoutSession,
    options?: { readonly outcome?: SandboxOutcome; readonly customer?: SubmitInput["customer"] },
  ): Promise<Order>;
  /** The payment is declined. */
  fail(session: CheckoutSession): Promise<Order>;
  /** All that is left, or a part. */
  refund(
    order: Pick<Order, "id">,
    part?: { readonly amount?: number; readonly reason?: string },
  ): Promise<Order>;
  /** A chargeback comes in; with `outcome` it is closed at once. */
  dispute(
    order: Pick<Order, "id">,
    closing?: { readonly outcome?: "won" | "lost" },
  ): Promise<Order>;
  /** The clock goes to the end of the paid period and the next one is paid, or fails. */
  renew(
    subscription: Pick<Subscription, "id">,
    payment?: { readonly failed?: boolean },
  ): Promise<Subscription>;
  cancel(
    subscription: Pick<Subscription, "id">,
    when?: { readonly at_period_end?: boolean },
  ): Promise<Subscription>;
  /** A call of the API; `key` is the secret one by default. */
  call(
    method: string,
    path: string,
    options?: CallOptions,
  ): Promise<{ readonly status: number; readonly body: unknown }>;
}

interface CallOptions {
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

const origin = "https://shop.example.com";
const hook = "https://receiver.example.com/webhooks";

/** On memory storage and the sandbox gateway unless the options say otherwise. */
export async function createTestShop({
  startAt = Date.UTC(2026, 0, 1),
  currency = "BRL",
  ...options
}: TestShopOptions = {}): Promise<TestShop> {
  let now = startAt;
  let serial = 0;
  let secret = "";
  const webhooks: WebhookEvent[] = [];
  const storefront = createStorefront({
    storage: memoryStorage(),
    checkout: { baseUrl: `${origin}/pay` },
    docsUrl: `${origin}/errors`,
    gateways: [sandboxGateway()],
    limits: { checkout: null, coupons: null },
    transport: {
      check: async () => ({ ok: true }),
      async send({ headers, body }) {
        const header = headers["X-Service-Signature"];
        const verdict = await verifyWebhook({
          rawBody: body,
          header,
          secret,
          now: Math.floor(now / 1000),
        });
        if (verdict.ok) webhooks.push(verdict.event);
        return {
          ok: verdict.ok,
          status: verdict.ok ? 200 : 400,
          error: verdict.ok ? null : "http_status",
          snippet: null,
          duration_ms: 0,
        };
      },
    },
    ...options,
    now: () => now,
  });
  await storefront.migrate();
  const { owner } = storefront;
  const store = await owner.stores.create({ name: "Test shop", currency });
  await owner.stores.update(store.id, { headless_enabled: true });
  await owner.returnUrls.add(store.id, `${origin}/done`);
  const where = { store_id: store.id, livemode: false };
  const method = await owner.paymentMethods.create(store.id, {
    type: "card",
    name: "Card",
    currencies: [currency],
    gateway: "sandbox",
    supports_recurring: true,
  });
  const key = async (kind: "publishable" | "secret"): Promise<string> =>
    (await owner.keys.create({ ...where, kind })).key;
  const keys = { publishable: await key("publishable"), secret: await key("secret") };
  secret = (await owner.endpoints.create({ ...where, url: hook })).secret;

  /** Webhooks go out with the step that caused them. */
  const told = async <T>(step: Promise<T>): Promise<T> => {
    const result = await step;
    await storefront.drainWebhooks();
    return result;
  };
  const call: TestShop["call"] = async (
    verb,
    path,
    { key: given = keys.secret, body, headers = {} } = {},
  ) => {
    const request = new Request(`${origin}${options.basePath ?? "/v1"}${path}`, {
      method: verb,
      headers: {
        authorization: `Bearer ${given}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const response = await storefront.handler(request, { ip: "203.0.113.1" });
    return { status: response.status, body: response.body === null ? null : await response.json() };
  };
  const pay: TestShop["pay"] = async (session, { outcome = "succeed", customer = null } = {}) => {
    const token = session.checkout_url.split("/").at(-1) ?? "";
    const submission = {
      payment_method_id: session.amount_total === 0 ? null : method.id,
      customer,
      input: { outcome },
    };
    return (await told(storefront.checkout.submit(token, submission))).order;
  };
  const reference = (): string => `test-${++serial}`;

  return {
    storefront,
    where,
    keys,
    webhooks,
    now: () => now,
    async advanceClock(ms) {
      now += ms;
      await storefront.runMaintenance();
      await storefront.drainWebhooks();
    },
    product: (input = {}) =>
      owner.products.create(store.id, {
        name: `Product ${++serial}`,
        price: 1000,
        currency,
        ...input,
      }),
    async checkout(items, more = {}) {
      const body = { items, success_url: `${origin}/done`, cancel_url: `${origin}/done`, ...more };
      const headers = { "idempotency-key": reference() };
      const answer = await call("POST", "/checkout/sessions", {
        key: keys.publishable,
        body,
        headers,
      });
      const { data, error } = answer.body as {
        data?: CheckoutSession;
        error?: { code: string; param: string | null; message: string };
      };
      return (
        data ??
        fail("parameter_invalid", {
          param: error?.param ?? "items",
          message: `No session: ${error?.code}: ${error?.message}`,
        })
      );
    },
    pay,
    fail: (session) => pay(session, { outcome: "decline" }),
    refund: async (order, part = {}) =>
      (
        await told(
          storefront.orders.refund(order.id, { ...where, reference: reference(), ...part }),
        )
      ).order,
    async dispute(order, { outcome } = {}) {
      const named = { ...where, reference: reference() };
      const opened = await told(storefront.orders.openDispute(order.id, named));
      return outcome === undefined
        ? opened
        : told(storefront.orders.closeDispute(order.id, { ...named, outcome }));
    },
    async renew({ id }, { failed = false } = {}) {
      const {
        current_period_end: period_start,
        amount,
        currency: money,
      } = await storefront.subscriptions.retrieve(id, where);
      now = Math.max(now, Date.parse(period_start));
      const named = { ...where, period_start, reference: reference() };
      const renewal = failed
        ? storefront.subscriptions.fail(id, named)
        : storefront.subscriptions.renew(id, { ...named, amount, currency: money });
      return (await told(renewal)).subscription;
    },
    cancel: ({ id }, when = {}) => told(storefront.subscriptions.cancel(id, { ...where, ...when })),
    call,
  };
}
