import { invalidOption } from "../../src/option-error.ts";
import type { Storefront } from "../../src/storefront.ts";

export interface NextOptions {
  /**
   * Where the client's address comes from, for Next tells none: the name of the header that your platform sets (`x-real-ip`, `cf-connecting-ip`),
   * a function, or `"shared"`: one bucket for all. A header that clients can set lets them pass the limits.
   */
  readonly ip: string | ((request: Request) => string | undefined);
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
type Handlers = Record<(typeof methods)[number], (request: Request) => Promise<Response>>;

/**
 * Route handlers for `app/v1/[...path]/route.ts` of Next.js 15 and 16, Node runtime:
 * `export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNext(storefront, { ip: "x-real-ip" })`.
 */
export function toNext(storefront: Pick<Storefront, "handler">, { ip }: NextOptions): Handlers {
  if (typeof ip !== "function" && (typeof ip !== "string" || !/^[A-Za-z0-9-]+$/.test(ip)))
    invalidOption("ip", 'is missing: name the header that your platform puts the client\'s address into, give a function, or "shared"');
  // Of several hops the last one was written by the nearest proxy.
  const fromHeader = (request: Request): string | undefined => request.headers.get(String(ip))?.split(",").at(-1)?.trim();
  const find = typeof ip === "function" ? ip : ip === "shared" ? () => undefined : fromHeader;
  const handle = (request: Request): Promise<Response> => {
    const address = find(request);
    return storefront.handler(request, address ? { ip: address } : {});
  };
  return Object.fromEntries(methods.map((method) => [method, handle])) as Handlers;
}
