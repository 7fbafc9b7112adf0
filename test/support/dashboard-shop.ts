import { memoryStorage, type Storage, type StorefrontOptions } from "vitrine";
import { createDashboard, type DashboardAccess, type DashboardOptions } from "vitrine/dashboard";
import type { WireReply } from "vitrine/node";
import type { WireRequest } from "../../src/http/wire.ts";
import { textOf } from "./reply-text.ts";
import { createShop } from "./shop.ts";

export const dashboardOrigin = "https://api.example.com";
export const everything: DashboardAccess = { actor: "ana", stores: "all", access: "all" };

interface Sent {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Fields of a form; with them the request is a POST of a page of the dashboard. */
  readonly form?: Readonly<Record<string, string | readonly string[]>> | URLSearchParams;
  readonly method?: string;
}

/** An answer whose body was read whole. */
export interface PageReply extends WireReply {
  readonly body: string | null;
}

/** A browser with its cookies. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  readonly #serve: (request: WireRequest) => Promise<WireReply | null>;
  readonly #native: unknown;

  constructor(serve: (request: WireRequest) => Promise<WireReply | null>, native: unknown) {
    this.#serve = serve;
    this.#native = native;
  }

  async send(target: string, { headers = {}, form, method }: Sent = {}): Promise<PageReply> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const given: Record<string, string | undefined> = {
      ...(cookie ? { cookie } : {}),
      ...(form ? { "sec-fetch-site": "same-origin" } : {}),
      ...headers,
    };
    const pairs = Object.entries(form ?? {}).flatMap(([name, value]) =>
      [value].flat().map((each) => [name, each]),
    );
    const body = form instanceof URLSearchParams ? form : new URLSearchParams(pairs);
    const reply = await this.#serve({
      method: method ?? (form ? "POST" : "GET"),
      target,
      ip: "203.0.113.9",
      native: this.#native,
      header: (name) => given[name],
      body: async (limit) => {
        const bytes = new TextEncoder().encode(String(body));
        return bytes.length > limit ? null : bytes;
      },
    });
    if (!reply) throw new Error(`${target} is not below the dashboard.`);
    this.#keep(reply.headers["set-cookie"]);
    return { ...reply, body: await textOf(reply.body) };
  }

  /** Sends a form as `send` does, and goes where the answer leads. */
  async follow(target: string, sent: Sent): Promise<PageReply> {
    const reply = await this.send(target, sent);
    const { location } = reply.headers;
    return reply.status === 303 && location !== undefined ? this.send(location) : reply;
  }

  #keep(header: string | undefined): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(header ?? "") ?? [];
    if (name === "") return;
    if (/Max-Age=0/.test(header ?? "")) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }

  /** Opens a page and sends its form of this name, with the fields that it shows. */
  async submit(
    target: string,
    name: string,
    fields: Readonly<Record<string, string | readonly string[]>> = {},
  ): Promise<PageReply> {
    const page = await this.send(target);
    if (page.status !== 200) throw new Error(`${target} is ${page.status}.`);
    return this.send(target, { form: filledIn(formOf(page, name), fields) });
  }
}

const entities: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&amp;": "&",
};
const plain = (text: string): string =>
  text.replace(/&(lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? entity);

/** The fields of a form as a browser would send them unchanged. */
export function formOf({ body }: PageReply, name: string): URLSearchParams {
  const forms = (body ?? "")
    .split("<form ")
    .slice(1)
    .map((text) => text.split("</form>")[0] ?? "");
  const form = forms.find((text) => text.includes(`name="do" value="${name}"`));
  if (form === undefined) throw new Error(`There is no form ${name}.`);

  const fields = new URLSearchParams();
  for (const [tag = ""] of form.matchAll(/<input\b[^>]*>/g)) {
    const [, field = ""] = /\sname="([^"]*)"/.exec(tag) ?? [];
    const [, value = ""] = /\svalue="([^"]*)"/.exec(tag) ?? [];
    const isLeftOut = /type="checkbox"/.test(tag) && !/\schecked/.test(tag);
    if (field !== "" && !isLeftOut) fields.append(plain(field), plain(value));
  }
  for (const [, field = "", text = ""] of form.matchAll(
    /<textarea\b[^>]*\sname="([^"]*)"[^>]*>\n?([\s\S]*?)<\/textarea>/g,
  ))
    fields.append(plain(field), plain(text));
  for (const [, field = "", options = ""] of form.matchAll(
    /<select\b[^>]*\sname="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g,
  )) {
    const values = [...options.matchAll(/<option value="([^"]*)"([^>]*)>/g)];
    const chosen = values.find(([, , rest]) => rest?.includes("selected")) ?? values[0];
    fields.append(plain(field), plain(chosen?.[1] ?? ""));
  }
  return fields;
}

export function filledIn(
  fields: URLSearchParams,
  changes: Readonly<Record<string, string | readonly string[]>>,
): URLSearchParams {
  const filled = new URLSearchParams(fields);
  for (const [name, value] of Object.entries(changes)) {
    filled.delete(name);
    for (const each of [value].flat()) filled.append(name, each);
  }
  return filled;
}

interface Opened {
  readonly storage?: Storage;
  readonly options?: Partial<DashboardOptions<unknown>>;
  readonly storefront?: Partial<StorefrontOptions>;
}

/** Opens a shop with a dashboard, at which the host lets in whoever `native` says. */
export async function createDashboardShop({ storage, options, storefront }: Opened = {}) {
  const shop = await createShop(storage ?? memoryStorage(), { requestLog: {}, ...storefront });
  const dashboard = createDashboard(shop.storefront, {
    path: "/dashboard",
    publicUrl: dashboardOrigin,
    authorize: ({ native }) => native as DashboardAccess | null,
    links: true,
    people: true,
    ...options,
  });

  /** A browser of someone with this access; null is nobody to the host. */
  const visitor = (access: DashboardAccess | null = everything): Visitor =>
    new Visitor(dashboard.serve, access);
  return { ...shop, dashboard, visitor };
}

export type DashboardShop = Awaited<ReturnType<typeof createDashboardShop>>;
