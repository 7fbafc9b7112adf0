import type { KeyRing } from "../../domain/keys/key-ring.ts";
import { invalidOption } from "../../input/option-error.ts";
import type { Action } from "../../owner/actions.ts";
import type { Owner } from "../../owner/owner.ts";
import type { ActorServices } from "../../payments/actor-services.ts";
import type { AuditAuthor, AuditedChange, AuditSigner } from "../../rules/audit/audit-records.ts";
import type { DashboardStore } from "../../storage/dashboard-store.ts";
import type { Hit, HitResult } from "../../storage/limit-store.ts";
import type { RecordStore } from "../../storage/record-store.ts";

/** The dashboard of a storefront works with these parts of it. */
export interface DashboardParts {
  /** This owner only reads. In the parts of a visit it also writes, under its actor's name. */
  readonly owner: Owner;
  readonly orders: ActorServices["orders"];
  readonly subscriptions: ActorServices["subscriptions"];
  readonly store: DashboardStore;
  /** Gives services under a signer's name, whose writes leave entries in the audit log. */
  as(signer: AuditSigner): ActorServices;
  /** Writes an entry of this signer about something that changes no record. */
  note(signer: AuditSigner, action: Action, change: AuditedChange): Promise<void>;
  /** Gives the store for one write of this signer. */
  storeAs(signer: AuditSigner, action: Action): Promise<DashboardStore>;
  /** Steps of people that nobody signs: what was seen, and what the host's own code does. */
  readonly records: RecordStore;
  /** Gives the steps of people for one write of this signer. */
  recordsAs(signer: AuditSigner, action: Action): Promise<RecordStore>;
  /** Gives the author of one write of this signer, for a step that writes more than one record. */
  authorOf(signer: AuditSigner, action: Action): Promise<AuditAuthor>;
  /** Counts a try to sign in, over all processes. */
  hit(hit: Hit): Promise<Pick<HitResult, "allowed">>;
  readonly keyRing: KeyRing;
  /** The origin of the deployment. It is empty where the host gave none. */
  readonly publicOrigin: string;
  /** The API's path as the host sees it. Empty at the root. */
  readonly apiPath: string;
  /** True when products and categories are the host's own, by the option `catalog`. */
  readonly hasHostCatalog: boolean;
  /** True when webhooks can be sent here. */
  readonly hasTransport: boolean;
  /** The ids of the gateways, without repeats. */
  readonly gatewayIds: readonly string[];
  readonly modes: Readonly<Record<"live" | "test", boolean>>;
  now(): number;
  randomBytes(length: number): Uint8Array;
  onError(error: unknown, where: string): void;
}

/** A storefront hands its parts over by this name, also to another copy of the package. */
export const dashboardParts: unique symbol = Symbol.for("vitrine.dashboard-parts");

/** Finds the parts of a storefront. Throws `invalid_option` for anything else. */
export function partsOf(storefront: object): DashboardParts {
  const parts: unknown = Reflect.get(Object(storefront), dashboardParts);
  // Only createStorefront sets a property of this name.
  if (typeof parts === "object" && parts !== null) return parts as DashboardParts;
  return invalidOption("storefront", "must be what createStorefront returned");
}
