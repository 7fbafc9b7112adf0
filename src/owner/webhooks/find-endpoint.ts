import { fail } from "../../contract/errors.ts";
import { checkId } from "../../input/check.ts";
import type { Partition } from "../../rules/records.ts";
import type { EndpointRecord } from "../../rules/webhooks/webhook-records.ts";
import { notFound, type OwnerContext } from "../context.ts";
import { checkPartition } from "./endpoint-input.ts";

/** Finds an endpoint. Throws `resource_not_found` for one of another store. */
export async function find(
  ctx: OwnerContext,
  partition: Partition,
  id: string,
): Promise<EndpointRecord> {
  const where = checkPartition(partition);
  const endpoint = await findEndpoint(ctx, where, checkId("id", id));
  return endpoint ?? notFound(ctx, where.store_id);
}

export const findEndpoint = async ({ storage }: OwnerContext, where: Partition, id: string) =>
  (await storage.webhooks.listEndpoints(where)).find((known) => known.id === id) ?? null;

/** Finds an endpoint of the owner's own. Throws `invalid_transition` for one of an agent. */
export async function requireOwn(
  ctx: OwnerContext,
  partition: Partition,
  id: string,
): Promise<EndpointRecord> {
  const endpoint = await find(ctx, partition, id);
  if (endpoint.agent)
    fail("invalid_transition", {
      param: "id",
      message:
        "The endpoint is that of an agent, whose protocol sets its address, events and secret.",
    });
  return endpoint;
}
