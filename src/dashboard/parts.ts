import type { KeyRing } from "../domain/key-ring.ts";
import type { DashboardAction } from "../owner/actions.ts";
import type { Owner } from "../owner/owner.ts";
import type { ActorServices } from "../payments/actor-services.ts";
import type { DashboardStore } from "../storage/dashboard-store.ts";

/** The parts of a storefront that its dashboard works with. */
export interface DashboardParts {
  /** What reads; the parts of a visit write under its actor's name. */
  readonly owner: Owner;
  readonly orders: ActorServices["orders"];
  readonly subscriptions: ActorServices["subscriptions"];
  readonly store: DashboardStore;
  /** The services of whoever sends a request: their writes leave entries in the audit log. */
  as(actor: string): ActorServices;
  /** The store for one write of theirs. */
  storeAs(actor: string, action: DashboardAction): Promise<DashboardStore>;
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
