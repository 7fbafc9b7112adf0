import type { OptionNames } from "../../input/option-error.ts";
import type { StorefrontOptions } from "../../options.ts";
import type { OptionKind } from "./option-kinds.ts";

const limits: OptionNames<NonNullable<StorefrontOptions["limits"]>> = {
  checkout: true,
  sessions: true,
  coupons: true,
  payments: true,
  catalog: true,
  orders: true,
  customers: true,
  unknownKeys: true,
};

/** Every option of `createStorefront`, and what it must be. */
export const knownOptions: OptionNames<StorefrontOptions, OptionKind> = {
  storage: ["migrate"],
  catalog: ["list", "find", "categories", "cart"],
  basePath: true,
  notificationsPath: true,
  modes: true,
  checkout: { baseUrl: true, url: "function", hold: "boolean" },
  checkoutPage: { brandColor: true, pictures: true, texts: true },
  gateways: true,
  customerTokens: "object",
  publicUrl: true,
  docsUrl: true,
  transport: ["send"],
  webhooks: { scheduleMs: true, leaseMs: true },
  renewals: { days: true, afterLast: true, hours: { from: true, to: true } },
  sealKey: true,
  sealKeys: true,
  limits,
  maxSessionsPerDay: true,
  limiter: ["hit"],
  requestTimeoutMs: true,
  accessCacheMs: true,
  answerCacheBytes: true,
  strictQuery: "boolean",
  trustBuyerIp: "boolean",
  revokeLeakedKeys: "boolean",
  audit: { keepDays: true },
  onAlert: "function",
  onError: "function",
  logger: ["debug", "info", "warn", "error"],
  observer: "object",
  healthz: "boolean",
  readyz: "boolean",
  metrics: { authorize: true, labels: { store: "boolean" } },
  requestLog: { keepHours: true, bodies: true },
  now: "function",
  newId: "function",
};
