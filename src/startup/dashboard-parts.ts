import type { DashboardParts } from "../dashboard/frame/parts.ts";
import { countHit } from "../http/access/rate-limit.ts";
import type { Action } from "../owner/actions.ts";
import type { AuditSigner } from "../rules/audit/audit-records.ts";
import type { Storage } from "../storage/types.ts";
import type { WebhookTransport } from "../webhooks/send/transport.ts";
import { actAs, checkActor } from "./act-as.ts";
import type { AuditedParts } from "./audited-services.ts";
import type { Parts } from "./context.ts";
import type { Settings } from "./options/read-options.ts";

interface OwnParts {
  readonly transport: WebhookTransport | null;
  readonly audited: AuditedParts;
}

/** Gives what `createDashboard` takes from a storefront. */
export const partsOfDashboard = (
  { http, payments, keyRing, reports }: Parts,
  { publicOrigin, basePath, modes, gateways }: Settings,
  { transport, audited }: OwnParts,
): DashboardParts => ({
  owner: audited.plain.owner,
  orders: audited.plain.orders,
  subscriptions: audited.plain.subscriptions,
  store: http.storage.dashboard,
  as: (signer) => actAs(audited, signer),
  note: async (signer, action, change) =>
    (await storageAs(audited, signer, action)).audit.note(change),
  storeAs: async (signer, action) => (await storageAs(audited, signer, action)).dashboard,
  records: http.storage.records,
  recordsAs: async (signer, action) => (await storageAs(audited, signer, action)).records,
  authorOf: async (signer, action) => {
    const { authorOfCall } = await import("./audited-services.ts");
    return authorOfCall(audited, callOf(signer, action));
  },
  // Sign-ins are counted like payments: by the host's own limiter where there is one.
  hit: async (hit) => (await countHit(http, "payments", hit)) ?? { allowed: true },
  keyRing,
  publicOrigin,
  apiPath: basePath,
  hasHostCatalog: payments.source !== null,
  hasTransport: transport !== null,
  gatewayIds: [...new Set(gateways.map(({ id }) => id))],
  modes,
  now: http.now,
  randomBytes: http.randomBytes,
  onError: reports.onError,
});

/** Gives the storage for one call of this signer. */
async function storageAs(
  audited: AuditedParts,
  signer: AuditSigner,
  action: Action,
): Promise<Storage> {
  const { storageOfCall } = await import("./audited-services.ts");
  return storageOfCall(audited, callOf(signer, action));
}

const callOf = (signer: AuditSigner, action: Action) => ({
  ...signer,
  actor: checkActor(signer.actor),
  action,
});
