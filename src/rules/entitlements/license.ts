import type { License } from "../../contract/entitlement-schema.ts";
import { hmacText, sha256 } from "../../domain/keys/hash.ts";
import type { KeyRing } from "../../domain/keys/key-ring.ts";
import { iso } from "../../domain/text/iso.ts";
import { type Decision, orderChanges, withoutChanges } from "../orders/order-changes.ts";
import type { OrderSnapshot } from "../orders/order-snapshot.ts";
import type { OrderRecord, Partition } from "../records.ts";
import type { ActivationRecord, EntitlementRecord } from "./entitlement-record.ts";
import { activationLimit, activationsOf, withEntitlement } from "./shown-license.ts";

/** The most activations that a key without a limit of its own has. */
const mostActivations = 1_000;

/**
 * Gives the hashes that a stored key may have: of a key that was made here, whose letters are
 * upper case, and of an uploaded one, under each seal key. All are made whatever the key is, so
 * the time of an answer does not tell which kind it is.
 */
export async function licenseHashes(
  ring: KeyRing,
  store_id: string,
  license_key: string,
): Promise<readonly string[]> {
  const key = license_key.trim();
  return [await sha256(key.toUpperCase()), ...(await uploadedKeyHashes(ring, store_id, key))];
}

/** Gives the hash of an uploaded key under each seal key, the newest first. */
export const uploadedKeyHashes = (
  ring: KeyRing,
  store_id: string,
  key: string,
): Promise<readonly string[]> =>
  Promise.all(
    ring.ids.map(async (id) => hmacText(await ring.derive(id, "license"), `${store_id}\n${key}`)),
  );

/** Finds what the order grants by the key with one of these hashes. */
export const findLicense = (
  { entitlements = [] }: OrderRecord,
  hashes: readonly string[],
): EntitlementRecord | undefined =>
  entitlements.find(
    ({ content }) => content.type === "license_key" && hashes.includes(content.key_hash ?? ""),
  );

/** What is said of a key that the store does not have, in this mode or at all. */
export const unknownLicense: License = {
  valid: false,
  reason: "unknown_key",
  entitlement_id: null,
  product_id: null,
  activation_limit: null,
  activation_usage: null,
  instance: null,
};

/** Says whether a key may be used, on one instance when `instance_id` names it. */
export function judgeLicense(license: EntitlementRecord, instance_id?: string): License {
  const instance = activationsOf(license).find(({ id }) => id === instance_id);
  const isUnknown = instance_id !== undefined && !instance;
  const reason =
    license.revoked_at !== null ? "revoked" : isUnknown ? ("unknown_instance" as const) : null;
  return {
    valid: reason === null,
    reason,
    entitlement_id: license.id,
    product_id: license.product_id,
    activation_limit: activationLimit(license),
    activation_usage: activationsOf(license).length,
    instance: instance
      ? { id: instance.id, name: instance.name, created_at: iso(instance.created_at) }
      : null,
  };
}

interface LicenseCommand extends Partition {
  readonly order_id: string;
  readonly entitlement_id: string;
  readonly now: number;
}

/** Puts a key into use on an instance, such as a machine. */
export interface Activation extends LicenseCommand {
  /** The id of the activation to be, unless one of this name stands. */
  readonly id: string;
  readonly name: string;
}

/** Ends the use of a key on an instance. */
export interface Deactivation extends LicenseCommand {
  readonly instance_id: string;
}

/** What became of an activation. */
export type ActivationResult =
  | { readonly outcome: "activated"; readonly license: EntitlementRecord; readonly id: string }
  | { readonly outcome: "revoked" | "limit" | "unknown" };

/** The license afterwards. Null for an unknown one. */
export interface DeactivationResult {
  readonly license: EntitlementRecord | null;
}

/** Activates the key once for a name, while it is the buyer's and the limit is not reached. */
export function decideActivation(
  { order }: OrderSnapshot,
  { entitlement_id, id, name, now }: Activation,
): Decision<ActivationResult> {
  const license = order?.entitlements?.find((each) => each.id === entitlement_id);
  if (!order || !license) return withoutChanges({ outcome: "unknown" });
  if (license.revoked_at !== null) return withoutChanges({ outcome: "revoked" });

  const activations = activationsOf(license);
  const standing = activations.find((each) => each.name === name);
  if (standing) return withoutChanges({ outcome: "activated", license, id: standing.id });

  const limit = Math.min(activationLimit(license) ?? mostActivations, mostActivations);
  if (activations.length >= limit) return withoutChanges({ outcome: "limit" });

  const after = { ...license, activations: [...activations, { id, name, created_at: now }] };
  return {
    result: { outcome: "activated", license: after, id },
    changes: orderChanges({ order: withEntitlement(order, after) }),
  };
}

/** Ends an activation. One that has ended already, and an unknown one, changes nothing. */
export function decideDeactivation(
  { order }: OrderSnapshot,
  { entitlement_id, instance_id }: Deactivation,
): Decision<DeactivationResult> {
  const license = order?.entitlements?.find((each) => each.id === entitlement_id);
  if (!order || !license) return withoutChanges({ license: null });

  const activations: readonly ActivationRecord[] = activationsOf(license).filter(
    ({ id }) => id !== instance_id,
  );
  if (activations.length === activationsOf(license).length) return withoutChanges({ license });

  const after = { ...license, activations };
  return {
    result: { license: after },
    changes: orderChanges({ order: withEntitlement(order, after) }),
  };
}
