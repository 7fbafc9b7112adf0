import { lazyService } from "../domain/async/lazy-service.ts";
import { check } from "../input/check.ts";
import { text } from "../input/fields.ts";
import type { Owner } from "../owner/owner.ts";
import type { ActorServices } from "../payments/actor-services.ts";
import type { AuditSigner } from "../rules/audit/audit-records.ts";
import type { AuditedParts } from "./audited-services.ts";

/**
 * Checks the name of an actor. Throws `parameter_invalid` for a name that is blank
 * or longer than 255 characters.
 */
export const checkActor = (actor: string): string => check(text(255), actor, "actor");

/**
 * The code of the services. The dashboard makes services for each request, and to import a
 * module costs time even if it is loaded.
 */
let code: Promise<typeof import("./audited-services.ts")> | undefined;

/** Gives the services of whoever signs. Their code is loaded at the first call. */
export function actAs(parts: AuditedParts, signer: AuditSigner): ActorServices {
  const checked = { ...signer, actor: checkActor(signer.actor) };
  let loading: Promise<ActorServices> | undefined;
  const load = (): Promise<ActorServices> => {
    code ??= import("./audited-services.ts");
    loading ??= code.then((module) => module.auditedServices(parts, checked));
    return loading;
  };

  return {
    owner: ownerOf(parts.plain.owner, async () => (await load()).owner),
    orders: lazyService(async () => (await load()).orders),
    checkout: lazyService(async () => (await load()).checkout),
    subscriptions: lazyService(async () => (await load()).subscriptions),
    customers: lazyService(async () => (await load()).customers),
  };
}

/**
 * Makes an owner whose members have the names of the plain one's. A member is a
 * method, or a service of methods.
 */
function ownerOf(plain: Owner, load: () => Promise<Owner>): Owner {
  const members = Object.entries(plain).map(([name, member]) => {
    const find = async () => Reflect.get(await load(), name);
    return typeof member === "function"
      ? [name, async (...args: unknown[]) => (await find())(...args)]
      : [name, lazyService(find)];
  });
  // The names are those of the plain owner, and `auditedServices` has a member for each.
  return Object.fromEntries(members) as Owner;
}
