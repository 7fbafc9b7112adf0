import type { DashboardParts } from "../dashboard/parts.ts";
import type { WebhookTransport } from "../webhooks/transport.ts";
import type { Parts } from "./context.ts";
import type { Settings } from "./read-options.ts";

interface OwnParts extends Pick<DashboardParts, "owner" | "orders" | "subscriptions"> {
  readonly transport: WebhookTransport | null;
}

/** What `createDashboard` takes from a storefront. */
export const partsOfDashboard = (
  { http, keyRing, reports }: Parts,
  { publicOrigin, modes, gateways }: Settings,
  { transport, ...services }: OwnParts,
): DashboardParts => ({
  ...services,
  store: http.storage.dashboard,
  keyRing,
  publicOrigin,
  hasTransport: transport !== null,
  gatewayIds: [...new Set(gateways.map(({ id }) => id))],
  modes,
  now: http.now,
  randomBytes: http.randomBytes,
  onError: reports.onError,
});
