import { hourMs } from "../../domain/durations.ts";
import { timingSafeEqual } from "../../domain/keys/hash.ts";
import { formLifetimeMs, readToken, sealMessage } from "../access/form-token.ts";
import { isTextName, type TextName } from "../language.ts";
import type { Visit } from "../screen.ts";

/** The most milliseconds by which the clocks of two processes may differ. */
const clockToleranceMs = hourMs;

const onceId = /^[A-Za-z0-9_-]{22}$/;

/**
 * Checks the token of a form and takes its id, so that the form does its work once.
 * A form that only leads to a question may be sent again. If the process dies after
 * this step, sending the form again does not do the work: the page then says that
 * it was sent before.
 */
export async function takeForm(
  visit: Visit & { readonly store?: { readonly id: string } },
  fields: URLSearchParams,
  { cookie, isQuestion }: { readonly cookie: string; readonly isQuestion: boolean },
): Promise<"taken" | "form_repeated" | "form_expired"> {
  const { parts, access, path } = visit;
  const scope = { cookie, actor: access.actor, path };
  const token = fields.get("token") ?? "";
  const issuedAt = await readToken(parts.keyRing, scope, { token, now: parts.now() });
  const form_id = fields.get("once") ?? "";
  if (issuedAt === null || !onceId.test(form_id)) return "form_expired";
  if (isQuestion) return "taken";

  // The row outlives the token, also for a process whose clock is behind: the form could be sent
  // again after it.
  const expires_at = issuedAt + formLifetimeMs + clockToleranceMs;
  const store_id = visit.store?.id ?? "";
  const { outcome } = await parts.store.takeForm({ store_id, form_id, expires_at });
  return outcome === "taken" ? "taken" : "form_repeated";
}

/** Reads the message that a form has left for the page that follows it. */
export async function messageOf(visit: Visit, cookie: string): Promise<TextName | null> {
  const [name = "", seal = ""] = (visit.query.get("done") ?? "").split(".");
  if (!isTextName(name)) return null;

  const scope = { cookie, actor: visit.access.actor, path: visit.path };
  const right = await sealMessage(visit.parts.keyRing, name, scope);
  return timingSafeEqual(right, seal) ? name : null;
}
