import { invalidOption } from "../input/option-error.ts";
import { memoryStorage } from "../memory/memory-storage.ts";
import { sandboxGateway } from "../payments/sandbox/sandbox-gateway.ts";
import type { TestWork } from "../rules/clock/test-clock.ts";
import { findTestWork } from "../steps/clock-steps.ts";
import type { Storage } from "../storage/types.ts";
import { createStorefront, type Storefront } from "../storefront.ts";
import type { TestShop, TestShopOptions } from "./harness-types.ts";
import { passTime } from "./pass-time.ts";
import { memoryReceiver } from "./receiver.ts";
import { CallOptions, readStep } from "./step-inputs.ts";
import { buyerSteps, hostSteps } from "./steps.ts";

const origin = "https://shop.example.com";
const return_url = `${origin}/done`;
const webhookUrl = "https://receiver.example.com/webhooks";

/** Opens a shop for `createTestShop`. */
export async function openShop({
  startAt = Date.UTC(2026, 0, 1),
  currency = "BRL",
  deliverTo,
  storage = memoryStorage(),
  ...options
}: TestShopOptions): Promise<TestShop> {
  if (!Number.isSafeInteger(startAt) || startAt < 0)
    invalidOption("startAt", "must be whole milliseconds since 1970, as Date.UTC gives them");
  if (deliverTo !== undefined && typeof deliverTo !== "function")
    invalidOption("deliverTo", "must be a function from a Request to a Response");

  let time = startAt;
  const now = (): number => time;
  const receiver = memoryReceiver(now, deliverTo);
  const storefront = createStorefront({
    storage,
    checkout: { baseUrl: `${origin}/pay` },
    docsUrl: `${origin}/errors`,
    gateways: [sandboxGateway()],
    limits: { checkout: null, coupons: null, licenses: null },
    transport: receiver.transport,
    ...options,
    now,
  });
  await storefront.migrate();

  const { where, keys, method_id, secret } = await openStore(storefront, currency);
  receiver.trustSecret(secret);

  const shop = {
    storefront,
    where,
    currency,
    method_id,
    return_url,
    reference: counter(),
    call: apiCall(storefront, `${origin}${options.basePath ?? "/v1"}`, keys),
    async deliver(): Promise<void> {
      await storefront.drainWebhooks();
      receiver.requireAnswers();
    },
    moveClockTo(ms: number): void {
      time = Math.max(time, ms);
    },
  };
  return {
    storefront,
    where,
    keys,
    return_url,
    webhooks: receiver.webhooks,
    now,
    advanceClock: (ms) =>
      passTime(ms, {
        now,
        findWork: () => findWork(storage, storefront, time),
        async turn(step) {
          time += step;
          await storefront.runMaintenance();
          await shop.deliver();
        },
      }),
    ...buyerSteps(shop, keys.publishable),
    ...hostSteps(shop),
    call: shop.call,
  };
}

type Keys = TestShop["keys"];

function counter(): () => number {
  let last = 0;
  return () => {
    last += 1;
    return last;
  };
}

/** Creates the store, a way to pay, both keys and a webhook endpoint. */
async function openStore({ owner }: Storefront, currency: string) {
  const store = await owner.stores.create({ name: "Test shop", currency });
  await owner.stores.update(store.id, { headless_enabled: true });
  await owner.returnUrls.add(store.id, return_url);

  const where = { store_id: store.id, livemode: false };
  const method = await owner.paymentMethods.create(store.id, {
    type: "card",
    name: "Card",
    currencies: [currency],
    gateway: "sandbox",
    supports_recurring: true,
  });

  const publishable = await owner.keys.create({ ...where, kind: "publishable" });
  const secretKey = await owner.keys.create({ ...where, kind: "secret" });
  const { secret } = await owner.endpoints.create({ ...where, url: webhookUrl });
  const keys = { publishable: publishable.key, secret: secretKey.key };
  return { where, keys, method_id: method.id, secret };
}

/** Finds what waits in the test mode of all stores. */
async function findWork(storage: Storage, { owner }: Storefront, now: number): Promise<TestWork> {
  const { data } = await owner.stores.list({ limit: 100 });
  const works = await Promise.all(data.map(({ id }) => findTestWork(storage.records, id, now)));
  const dues = works.flatMap(({ next_due }) => next_due ?? []);
  return {
    next_due: dues.length === 0 ? null : Math.min(...dues),
    is_held: works.some(({ is_held }) => is_held),
  };
}

function apiCall(storefront: Storefront, baseUrl: string, keys: Keys): TestShop["call"] {
  const basePath = new URL(baseUrl).pathname;
  return async (method, path, options = {}) => {
    if (typeof path !== "string" || !path.startsWith("/") || path.startsWith(`${basePath}/`))
      invalidOption("path", `must be a path of the API without ${basePath}, such as /store`);
    const { key = keys.secret, body, headers = {} } = readStep(CallOptions, options);
    const hasBody = body !== undefined;
    const request = new Request(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(hasBody ? { "content-type": "application/json" } : {}),
        ...headers,
      },
      ...(hasBody ? { body: JSON.stringify(body) } : {}),
    });

    const response = await storefront.handler(request, { ip: "203.0.113.1" });
    const isEmpty = response.body === null;
    return { status: response.status, body: isEmpty ? null : await response.json() };
  };
}
