import { fail } from "../contract/errors.ts";
import type { EntitlementRecord } from "../rules/entitlements/entitlement-record.ts";
import {
  findLicense,
  judgeLicense,
  licenseHashes,
  unknownLicense,
} from "../rules/entitlements/license.ts";
import { keyTerm } from "../rules/orders/order-terms.ts";
import {
  activateLicense as activate,
  deactivateLicense as deactivate,
} from "../steps/license-steps.ts";
import { partitionOf } from "./caller.ts";
import type { Handler, OperationCall, PlainOperation } from "./operation.ts";
import { single } from "./results.ts";

type LicenseCall = Pick<OperationCall<PlainOperation>, "ctx" | "caller">;

interface FoundLicense {
  readonly order_id: string;
  readonly license: EntitlementRecord;
}

/**
 * Finds a key of the store and mode. Gives null for a key of another store and for an unknown one.
 */
async function find(
  { ctx, caller }: LicenseCall,
  license_key: string,
): Promise<FoundLicense | null> {
  const partition = partitionOf(caller);
  const key_hashes = await licenseHashes(ctx.keyRing, partition.store_id, license_key);
  const terms = key_hashes.map(keyTerm);
  const found = await ctx.storage.backOffice.searchOrders({ ...partition, terms, limit: 1 });
  const [order] = found.outcome === "listed" ? found.orders : [];
  const license = order && findLicense(order, key_hashes);
  return license ? { order_id: order.id, license } : null;
}

const requireKnown = async (call: LicenseCall, license_key: string): Promise<FoundLicense> =>
  (await find(call, license_key)) ?? fail("license_invalid");

export const validateLicense: Handler<"validateLicense"> = async (call) => {
  const { license_key, instance_id } = call.input.body;
  const found = await find(call, license_key);
  return single(found ? judgeLicense(found.license, instance_id) : unknownLicense);
};

export const activateLicense: Handler<"activateLicense"> = async (call) => {
  const { license_key, instance_name: name } = call.input.body;
  const { ctx } = call;
  const { order_id, license } = await requireKnown(call, license_key);
  const result = await activate(ctx.storage.orders, {
    ...partitionOf(call.caller),
    order_id,
    entitlement_id: license.id,
    id: ctx.newId("act"),
    name,
    now: ctx.now(),
  });

  switch (result.outcome) {
    case "activated":
      return single(judgeLicense(result.license, result.id));
    case "revoked":
      return fail("license_revoked");
    case "limit":
      return fail("activation_limit_reached");
    case "unknown":
      return fail("license_invalid");
  }
};

export const deactivateLicense: Handler<"deactivateLicense"> = async (call) => {
  const { license_key, instance_id } = call.input.body;
  const { order_id, license } = await requireKnown(call, license_key);
  const { ctx } = call;
  const after = await deactivate(ctx.storage.orders, {
    ...partitionOf(call.caller),
    order_id,
    entitlement_id: license.id,
    instance_id,
    now: ctx.now(),
  });
  return single(judgeLicense(after.license ?? fail("license_invalid")));
};
