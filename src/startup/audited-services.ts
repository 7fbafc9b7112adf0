import type { IdKind } from "../domain/keys/ids.ts";
import type { ActorServices } from "../payments/actor-services.ts";
import { auditAuthor } from "../rules/audit/audit-entry.ts";
import type { AuditAuthor, AuditSigner } from "../rules/audit/audit-records.ts";
import type { Storage } from "../storage/types.ts";
import { type AuditedMethod, type AuditedWrite, auditedCalls } from "./audited-calls.ts";
import { signedStorage } from "./signed-storage.ts";

/** The services of an actor are made from these parts. */
export interface AuditedParts {
  readonly storage: Storage;
  /** The services without an actor, which answer the reads. */
  readonly plain: ActorServices;
  now(): number;
  newId(kind: IdKind): string;
  /** Makes the services anew, on the audited storage of one call. */
  servicesOn(storage: Storage): ActorServices;
}

interface SignedWrite extends AuditedWrite, AuditSigner {}

type CallParts = Pick<AuditedParts, "storage" | "now" | "newId">;

/** Gives the author of one call of an actor. */
export const authorOfCall = (
  { now, newId }: CallParts,
  { about = "order", ...signed }: SignedWrite,
): AuditAuthor => auditAuthor({ ...signed, id: newId("aud"), about, now: now() });

/** Gives the storage for one call of an actor. */
export const storageOfCall = (parts: CallParts, write: SignedWrite): Storage =>
  signedStorage(parts.storage, authorOfCall(parts, write));

/**
 * Makes the services of an actor. Each call of a write has services of its own, so
 * that all steps of the call share one entry, and calls that run at once share
 * nothing.
 */
export function auditedServices(parts: AuditedParts, signer: AuditSigner): ActorServices {
  const remake = (write: AuditedWrite): object =>
    parts.servicesOn(storageOfCall(parts, { ...signer, ...write }));
  // The compiler makes sure that the table has a line for every member of the services.
  return wrapped(auditedCalls, parts.plain, remake) as ActorServices;
}

interface CallTable {
  readonly [name: string]: AuditedMethod | CallTable;
}

/**
 * Turns each method of the table into one that reads from the service at hand, or
 * writes through a service that `remake` makes for the call. A service in the table
 * is wrapped in the same way.
 */
function wrapped(calls: CallTable, plain: object, remake: (write: AuditedWrite) => object): object {
  const members = Object.entries(calls).map(([name, call]) => {
    if (call === "read") return [name, methodOf(plain, name)];
    if (isWrite(call))
      return [name, async (...args: unknown[]) => methodOf(remake(call), name)(...args)];

    const inner: object = Reflect.get<object, string>(plain, name);
    return [
      name,
      wrapped(call, inner, (write) => Reflect.get<object, string>(remake(write), name)),
    ];
  });
  return Object.fromEntries(members);
}

const isWrite = (call: AuditedWrite | CallTable): call is AuditedWrite => "action" in call;

/** Calls the method on its service, because a service that loads its code finds methods by name. */
const methodOf =
  (service: object, name: string) =>
  (...args: unknown[]): unknown =>
    Reflect.get<object, string>(service, name)(...args);
