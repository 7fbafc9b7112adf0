import { base64url, fromBase64url, timingSafeEqual } from "../domain/keys/hash.ts";
import { samePage } from "./addresses.ts";
import type { Values } from "./forms/form-field.ts";
import type { FormResult, Visit } from "./screen.ts";

// A question that follows a form is asked at an address of its own, so that Back never meets a page
// that a browser must send again. The address carries what was typed, sealed for this browser,
// actor and path: no other site can ask.

/** Leads to the question about these values at the visited path, with more in its query. */
export async function ask(
  visit: Visit,
  values: Values,
  more: Readonly<Record<string, string | null>> = {},
): Promise<FormResult> {
  const text = base64url(new TextEncoder().encode(JSON.stringify(values)));
  const seal = await visit.seal(`ask:${text}`);
  const address = samePage(visit, { ...more, ask: `${text}.${seal}` });
  return { kind: "done", address, message: null };
}

/** Gives the values that a visit is asked about, and null where nothing is asked. */
export async function askedOf(visit: Visit): Promise<Values | null> {
  const [text = "", given = ""] = (visit.query.get("ask") ?? "").split(".");
  const bytes = fromBase64url(text);
  if (bytes === null || !timingSafeEqual(await visit.seal(`ask:${text}`), given)) return null;

  return JSON.parse(new TextDecoder().decode(bytes));
}
