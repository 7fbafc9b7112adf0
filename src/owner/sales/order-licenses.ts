import { z } from "zod";
import { iso } from "../../domain/text/iso.ts";
import { check, checkId } from "../../input/check.ts";
import { foreignId } from "../../input/fields.ts";
import { activationsOf } from "../../rules/entitlements/shown-license.ts";
import type { OrderRecord } from "../../rules/records.ts";
import { notFound, type OwnerContext } from "../context.ts";

/** A use of a license key that an order has given, such as on a machine. */
export interface OwnerActivation {
  /** Begins with `act_`. */
  readonly id: string;
  /** The license key, as `entitlements` of the order names it. */
  readonly entitlement_id: string;
  /** The name that the software gave. It is empty once the buyer is erased. */
  readonly name: string;
  /** A time in ISO 8601, in UTC. */
  readonly created_at: string;
}

const OwnerOrderRefInput = z.strictObject({
  store_id: foreignId,
  livemode: z.boolean(),
  order_id: foreignId,
});
const OwnerActivationRef = z.strictObject({
  ...OwnerOrderRefInput.shape,
  entitlement_id: foreignId,
  activation_id: foreignId,
});
/** Names a use of a license key. */
export interface OwnerActivationRef extends z.input<typeof OwnerActivationRef> {}

const activations = ({ entitlements = [] }: OrderRecord): readonly OwnerActivation[] =>
  entitlements.flatMap((license) =>
    activationsOf(license).map(({ id, name, created_at }) => ({
      id,
      entitlement_id: license.id,
      name,
      created_at: iso(created_at),
    })),
  );

/** Lists where the license keys of an order are in use. */
export async function listActivations(
  ctx: OwnerContext,
  reference: z.input<typeof OwnerOrderRefInput>,
): Promise<readonly OwnerActivation[]> {
  const { order_id, ...partition } = check(OwnerOrderRefInput, reference);
  const { orders } = ctx.storage;
  const order = await orders.find("order", partition, checkId("order_id", order_id));
  return order ? activations(order) : notFound(ctx, partition.store_id, "order_id");
}

/** Ends a use of a license key. One that has ended already changes nothing. */
export async function deactivate(
  ctx: OwnerContext,
  reference: OwnerActivationRef,
): Promise<readonly OwnerActivation[]> {
  const { activation_id, ...named } = check(OwnerActivationRef, reference);
  const { deactivateLicense } = await import("../../steps/license-steps.ts");
  const command = { ...named, instance_id: activation_id, now: ctx.now() };
  const { license } = await deactivateLicense(ctx.storage.orders, command);
  if (!license) return notFound(ctx, named.store_id, "entitlement_id");

  const { store_id, livemode, order_id } = named;
  return listActivations(ctx, { store_id, livemode, order_id });
}
