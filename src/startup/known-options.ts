import { type OptionNames, refuseUnknownOptions } from "../input/option-error.ts";
import type { StorefrontOptions } from "../options.ts";

const names: OptionNames<StorefrontOptions> = {
  storage: true,
  catalog: true,
  basePath: true,
  notificationsPath: true,
  modes: true,
  checkout: true,
  checkoutPage: true,
  gateways: true,
  customerTokens: true,
  publicUrl: true,
  docsUrl: true,
  transport: true,
  webhooks: true,
  sealKey: true,
  sealKeys: true,
  limits: true,
  maxSessionsPerDay: true,
  limiter: true,
  accessCacheMs: true,
  answerCacheBytes: true,
  strictQuery: true,
  trustBuyerIp: true,
  revokeLeakedKeys: true,
  audit: true,
  onAlert: true,
  onError: true,
  logger: true,
  observer: true,
  healthz: true,
  readyz: true,
  metrics: true,
  requestLog: true,
  now: true,
  newId: true,
};

const limits: OptionNames<NonNullable<StorefrontOptions["limits"]>> = {
  checkout: true,
  sessions: true,
  coupons: true,
  catalog: true,
  orders: true,
  customers: true,
  unknownKeys: true,
};

const checkout = { baseUrl: true, url: true, hold: true } as const;
const checkoutPage = { brandColor: true, pictures: true, texts: true } as const;
const requestLog = { keepHours: true, bodies: true } as const;
const audit = { keepDays: true } as const;
const webhooks = { scheduleMs: true, leaseMs: true } as const;

/** Refuses a misspelt option of `createStorefront`, also one inside another. */
export function refuseMisspelt(options: Partial<StorefrontOptions> = {}): void {
  refuseUnknownOptions(options, names);
  refuseUnknownOptions<object>(options.checkout, checkout, "checkout");
  refuseUnknownOptions(options.checkoutPage, checkoutPage, "checkoutPage");
  refuseUnknownOptions(options.limits, limits, "limits");
  refuseUnknownOptions(options.requestLog, requestLog, "requestLog");
  refuseUnknownOptions(options.audit, audit, "audit");
  refuseUnknownOptions(options.webhooks, webhooks, "webhooks");
}
