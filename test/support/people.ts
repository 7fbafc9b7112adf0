import { Authenticator, type Lie } from "./authenticator.ts";
import {
  type DashboardShop,
  dashboardOrigin,
  filledIn,
  formOf,
  type PageReply,
  type Visitor,
} from "./dashboard-shop.ts";

/** The path of a link that a page or a call has shown. */
export const pathOf = (text: string | null): string =>
  /https:\/\/api\.example\.com(\/dashboard\/link\/[^"?\s]+)/.exec(text ?? "")?.[1] ?? "";

/** Opens a link and presses its button. */
export async function pressLink(visitor: Visitor, path: string): Promise<PageReply> {
  const page = await visitor.send(path);
  const inputs = (page.body ?? "").matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g);
  const fields = [...inputs].map(([, name = "", value = ""]) => [name, value]);
  return visitor.send(path, { form: new URLSearchParams(fields) });
}

/** What a page asks the browser for. */
export function optionsOf({ body }: PageReply) {
  const [, text = ""] = /data-passkey="([^"]*)"/.exec(body ?? "") ?? [];
  return JSON.parse(
    text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&"),
  );
}

/** Keeps a passkey of this authenticator on the visitor's own page. */
export async function keepPasskey(
  visitor: Visitor,
  device: Authenticator,
  lie: Lie = {},
): Promise<PageReply> {
  const page = await visitor.send("/dashboard/passkeys");
  const credential = device.create(optionsOf(page), lie);
  return visitor.send("/dashboard/passkeys", {
    form: filledIn(formOf(page, "add"), { credential }),
  });
}

/** Signs in at the page for it, by this authenticator. */
export async function signIn(
  visitor: Visitor,
  device: Authenticator,
  lie: Lie = {},
): Promise<PageReply> {
  const page = await visitor.send("/dashboard/sign-in");
  const credential = device.get(optionsOf(page), lie);
  return visitor.send("/dashboard/sign-in", { form: { credential } });
}

/** Invites someone by the host's own code, lets that person in, and keeps a passkey. */
export async function joinPerson(
  shop: DashboardShop,
  input: object = {},
  options: object = {},
): Promise<{ id: string; visitor: Visitor; device: Authenticator }> {
  const person = { store_id: shop.a.id, name: "Bia", access: "all" as const, ...input };
  const { id, url } = await shop.dashboard.people.invite(person, options);
  const visitor = shop.visitor(null);
  await pressLink(visitor, pathOf(url));
  const device = new Authenticator(dashboardOrigin);
  const kept = await keepPasskey(visitor, device);
  if (kept.status !== 303) throw new Error(`The passkey was not kept: ${kept.status}.`);
  return { id, visitor, device };
}
