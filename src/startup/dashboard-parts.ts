import type { DashboardParts } from "../dashboard/frame/parts.ts";
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
  { http, keyRing, reports }: Parts,
  { publicOrigin, basePath, modes, gateways }: Settings,
  { transport, audited }: OwnParts,
): DashboardParts => ({
  owner: audited.plain.owner,
  orders: audited.plain.orders,
  subscriptions: audited.plain.subscriptions,
  store: http.storage.dashboard,
  as: (signer) => actAs(audited, signer),
  async storeAs(signer, action) {
    const { storageOfCall } = await import("./audited-services.ts");
    const actor = checkActor(signer.actor);
    return storageOfCall(audited, { ...signer, actor, action }).dashboard;
  },
  keyRing,
  publicOrigin,
  apiPath: basePath,
  hasTransport: transport !== null,
  gatewayIds: [...new Set(gateways.map(({ id }) => id))],
  modes,
  now: http.now,
  randomBytes: http.randomBytes,
  onError: reports.onError,
});
