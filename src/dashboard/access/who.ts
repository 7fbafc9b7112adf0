import type { WireRequest } from "../../http/wire.ts";
import type { AuditSigner } from "../../rules/audit/audit-records.ts";
import type { DashboardSessionRecord } from "../../rules/owner/dashboard-records.ts";
import type { DashboardRef } from "../../storage/dashboard-store.ts";
import type { DashboardParts } from "../frame/parts.ts";
import type { DashboardSettings } from "../options.ts";
import { type DashboardAccess, readAccess, readRights } from "./access.ts";
import { readCookie } from "./cookies.ts";
import { readSecret } from "./secrets.ts";

export interface Known {
  readonly access: DashboardAccess;
  /** The audit log names this person by it. */
  readonly signer: AuditSigner;
  /** A link has opened this session. It is null when the host knows who this is. */
  readonly session: DashboardRef | null;
}

/**
 * Finds out who has sent a request: by the host, else by the session of a link.
 * Null means nobody. It throws when the host's function throws.
 */
export async function whoIs(
  request: WireRequest,
  parts: DashboardParts,
  settings: DashboardSettings,
): Promise<Known | null> {
  const access = await askHost(request, settings);
  if (access) return { access, signer: { actor: access.actor }, session: null };

  const session = settings.links ? await findSession(request, parts, settings) : null;
  if (!session) return null;
  return {
    access: accessOf(session),
    signer: signerOfPass(session),
    session: { store_id: session.store_id, hash: session.session_hash },
  };
}

/**
 * Asks the host who sends the request. Any error of the host's function becomes a
 * failure: the function may have called our services, and their errors would
 * otherwise be answered as if the address were wrong.
 */
async function askHost(
  request: WireRequest,
  { authorize }: DashboardSettings,
): Promise<DashboardAccess | null> {
  if (!authorize) return null;
  try {
    return readAccess(await authorize(request));
  } catch (cause) {
    throw new Error("The dashboard could not learn from `authorize` who sent a request.", {
      cause,
    });
  }
}

export async function findSession(
  request: WireRequest,
  { store, now }: DashboardParts,
  settings: DashboardSettings,
): Promise<DashboardSessionRecord | null> {
  const cookie = readCookie(request, "session", settings);
  const ref = cookie === null ? null : await readSecret(cookie);
  return ref && store.findSession(ref, now());
}

/** Gives what the audit log says of someone whom a link or its session lets in. */
export const signerOfPass = ({
  actor,
  made_by,
}: Pick<DashboardSessionRecord, "actor" | "made_by">): AuditSigner => ({
  actor,
  via: "link",
  made_by,
});

const accessOf = ({ actor, store_id, access }: DashboardSessionRecord): DashboardAccess => ({
  actor,
  stores: [store_id],
  access: readRights(access),
});
