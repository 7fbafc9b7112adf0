import { invalidOption } from "#core/input/option-error.ts";
import { requireMountable } from "./mountable.ts";

/** The adapter uses this part of a storefront. */
interface Handler {
  handler(
    request: Request,
    client?: { readonly ip?: string; readonly waitUntil?: WaitUntil },
  ): Promise<Response>;
}

/** Keeps the host running until the work has ended, as `after` of `next/server` does. */
export type WaitUntil = (work: Promise<unknown>) => void;

type RouteHandler = (request: Request) => Promise<Response>;

/**
 * Tells where the client's address comes from, because Next.js does not tell it. It
 * is the name of a header that your proxy sets and clients cannot, or a function,
 * or `"shared"`, by which all buyers are counted together. Buyers whose request lacks
 * the header are counted together too; the first one is told on the console.
 */
export type ClientAddress = string | ((request: Request) => string | undefined);

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/**
 * Makes route handlers for the app router of Next.js 15 and 16, in
 * `app/v1/[...path]/route.ts`, on the Node runtime or on edge. A function in place
 * of the storefront is called at each request, never at import: `next build`
 * imports every route file and has no database.
 */
export function toNext(
  storefront: Handler | (() => Handler | Promise<Handler>),
  options: { readonly ip: ClientAddress; readonly waitUntil?: WaitUntil },
): Readonly<Record<(typeof methods)[number], RouteHandler>> {
  const address = readAddress(options?.ip);
  const { waitUntil } = options;
  if (waitUntil !== undefined && typeof waitUntil !== "function")
    invalidOption("waitUntil", "must be a function, like `after` of next/server");
  if (typeof storefront !== "function") requireMountable(storefront, "handler", "toNext");
  const open = typeof storefront === "function" ? storefront : () => storefront;

  const handle: RouteHandler = async (request) => {
    const ip = address(request);
    const opened = await open();
    return opened.handler(request, { ...(ip && { ip }), ...(waitUntil && { waitUntil }) });
  };
  // Object.fromEntries forgets the keys' types; the list of methods is exactly the declared ones.
  return Object.fromEntries(methods.map((method) => [method, handle])) as Record<
    (typeof methods)[number],
    RouteHandler
  >;
}

function readAddress(ip: ClientAddress | undefined): (request: Request) => string | undefined {
  if (typeof ip === "function") return ip;
  if (ip === "shared") return () => undefined;
  if (typeof ip !== "string" || !/^[\w!#$%&'*+.^`|~-]+$/.test(ip))
    return invalidOption(
      "ip",
      "is required: the header in which your proxy writes the client's address, " +
        'a function, or "shared"',
    );
  let told = false;
  return (request) => {
    const address = request.headers.get(ip) ?? undefined;
    if (address || told) return address;

    told = true;
    console.warn(
      `vitrine: toNext: a request had no header ${ip}: all clients without it share one limit.`,
    );
    return undefined;
  };
}
