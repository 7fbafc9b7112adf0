import type { KeyRing } from "../domain/key-ring.ts";
import type { Owner } from "../owner/owner.ts";
import type { OrderService } from "../payments/order-service.ts";
import type { SubscriptionService } from "../payments/subscription-service.ts";
import type { DashboardStore } from "../storage/dashboard-store.ts";

/** The parts of a storefront that its dashboard works with. */
export interface DashboardParts {
  readonly owner: Owner;
  readonly orders: OrderService;
  readonly subscriptions: SubscriptionService;
  readonly store: DashboardStore;
  readonly keyRing: KeyRing;
  /** The origin of the deployment; empty where the host gave none. */
  readonly publicOrigin: string;
  /** Whether webhooks can be sent here. */
  readonly hasTransport: boolean;
  /** The ids of the gateways, without repeats. */
  readonly gatewayIds: readonly string[];
  readonly modes: Readonly<Record<"live" | "test", boolean>>;
  now(): number;
  randomBytes(length: number): Uint8Array;
  onError(error: unknown, where: string): void;
}

/** By this name a storefront hands its parts over, also to another copy of the package. */
export const dashboardParts: unique symbol = Symbol.for("vitrine.dashboard-parts");
