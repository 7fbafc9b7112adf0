import { fail, isApiError } from "../../contract/errors.ts";
import { type DashboardAccess, may, reaches } from "../../dashboard/access/access.ts";
import type { DashboardParts } from "../../dashboard/frame/parts.ts";
import { refuse } from "../../input/check.ts";
import type { DashboardAction } from "../../owner/actions.ts";
import type { ActorServices } from "../../payments/actor-services.ts";
import type { AuditSigner, AuditSubject } from "../../rules/audit/audit-records.ts";
import type { Partition } from "../../rules/records.ts";
import type { ToolAnswer } from "./tools.ts";

/** What the tools of an owner work with: one person, and what they may do. */
export interface Desk {
  readonly access: DashboardAccess;
  readonly parts: DashboardParts;
  /** The public address of the dashboard, where people confirm. Null when there is none. */
  readonly dashboardUrl: string | null;
}

/** The audit log names the person, and says that an assistant has called. */
const signerOf = ({ access }: Desk): AuditSigner => ({ actor: access.actor, via: "mcp" });

/** A call of a tool that is about a store. */
export interface StoreCall {
  readonly tool: string;
  /** The right that the call needs. Null means that it needs none. */
  readonly action: DashboardAction | null;
  readonly store_id: string | undefined;
  readonly livemode: boolean;
  /** What the call is about. Null is the store. */
  readonly subject: AuditSubject | null;
}

/** What the work of a call is given. */
export interface Work {
  readonly at: Partition;
  /** Services under the person's name. Their writes leave entries of their own. */
  readonly own: ActorServices;
  readonly desk: Desk;
}

type Body = Readonly<Record<string, unknown>>;

/** Does the work of a call, after an entry in the audit log says that it was called. */
export function atStore(
  desk: Desk,
  call: StoreCall,
  work: (work: Work) => Promise<Body>,
): Promise<ToolAnswer> {
  return answering(async () => {
    const { access, parts } = desk;
    const { tool, action, livemode } = call;
    if (!may(access, action))
      fail("insufficient_scope", { message: `${access.actor} has not the right ${action}.` });

    const store_id = chosenStore(access, call.store_id);
    await parts.owner.stores.retrieve(store_id);

    const signer = signerOf(desk);
    const subject = call.subject ?? ({ type: "store", id: store_id } as const);
    const entry = { store_id, livemode, subject, before: null, after: { tool } };
    await parts.note(signer, "assistant.call", { kind: "action", ...entry });

    return work({ at: { store_id, livemode }, own: parts.as(signer), desk });
  });
}

/** Turns what a service refuses into an answer that the model reads. */
export async function answering(work: () => Promise<Body>): Promise<ToolAnswer> {
  try {
    return { ok: true, body: await work() };
  } catch (error) {
    if (!isApiError(error)) throw error;
    const { code, message, param } = error;
    return { ok: false, error: { code, message, ...(param === null ? {} : { param }) } };
  }
}

/** Finds the store of a call. A store that the person does not reach is as unknown as none. */
function chosenStore(access: DashboardAccess, given: string | undefined): string {
  const { stores } = access;
  const only = stores !== "all" && stores.length === 1 ? stores[0] : undefined;
  const store_id = given ?? only;

  if (store_id === undefined)
    return refuse("store_id", "is needed: list_stores names the stores that you reach");
  if (!reaches(access, store_id))
    fail("resource_not_found", { param: "store_id", message: "There is no such store." });
  return store_id;
}
