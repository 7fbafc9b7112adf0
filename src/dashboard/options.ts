import { parseUrl } from "../domain/parse-url.ts";
import { isSafeTransport } from "../domain/url-rules.ts";
import type { WireRequest } from "../http/wire.ts";
import { invalidOption, type OptionNames, requireOptions } from "../input/option-error.ts";
import { type OptionKind, refuseWrongOptions } from "../input/option-kinds.ts";
import { isColor } from "../pages/page-options.ts";
import type { DashboardAccess } from "./access/access.ts";
import type { DashboardUploads } from "./forms/uploads.ts";
import type { DashboardParts } from "./frame/parts.ts";

/** The options of `createDashboard`. */
export interface DashboardOptions<Native = unknown> {
  /** The server sees this path, such as `/dashboard`. */
  readonly path: string;
  /** The browser sees this path, where a proxy cuts or adds one. It is `path` by default. */
  readonly publicPath?: string | undefined;
  /** The browser sees this origin. It is the storefront's `publicUrl` by default. */
  readonly publicUrl?: string | undefined;
  /**
   * Says who has sent a request, by the host's own sessions; null means nobody. It
   * is asked at every request. When it throws, the answer is 500 and nothing is
   * shown. `native` is the framework's own request.
   */
  readonly authorize?:
    | ((visit: {
        readonly request: WireRequest;
        readonly native: Native;
      }) => DashboardAccess | null | Promise<DashboardAccess | null>)
    | undefined;
  /** Lets people in by links that `dashboard.links.create` makes. */
  readonly links?: boolean | undefined;
  /**
   * Lets in people who were invited, and who sign in by a passkey from then on. The
   * passkeys belong to the domain of `publicUrl`: those of another domain are lost with it.
   */
  readonly people?: boolean | undefined;
  /** The colour of buttons and links, such as `#1a6b3c`. */
  readonly brandColor?: string | undefined;
  /** Whether pictures of other hosts are loaded. Default true. */
  readonly pictures?: boolean | undefined;
  /**
   * Stores pictures of products, and the files that they deliver. Without it a product takes the
   * addresses of pictures and the names of files alone.
   */
  readonly uploads?: DashboardUploads | undefined;
}

/** The options after they were read and checked. */
export interface DashboardSettings {
  /** Has no slash at its end. It is empty at the root. */
  readonly path: string;
  readonly publicPath: string;
  /** The API's path on the storefront's origin. Empty at the root. */
  readonly apiPath: string;
  /** An origin such as `https://shop.example.com`. */
  readonly origin: string;
  /** False on a plain `http://localhost` only. */
  readonly secure: boolean;
  readonly authorize: ((request: WireRequest) => Promise<unknown>) | null;
  readonly links: boolean;
  readonly people: boolean;
  /** The domain that passkeys belong to. Null at an address without a name, which can have none. */
  readonly rpId: string | null;
  readonly brandColor: string | null;
  readonly pictures: boolean;
  readonly uploads: DashboardUploads | null;
}

/** The kinds of the options. `true` leaves the check to the code below, which says more. */
const optionKinds: OptionNames<DashboardOptions, OptionKind> = {
  path: true,
  publicPath: true,
  publicUrl: true,
  authorize: "function",
  links: "boolean",
  people: "boolean",
  brandColor: true,
  pictures: "boolean",
  uploads: true,
};

/** Checks the options. Throws `invalid_option`, which says what is right. */
export function readDashboardOptions<Native>(
  options: DashboardOptions<Native>,
  { publicOrigin, apiPath }: Pick<DashboardParts, "publicOrigin" | "apiPath">,
): DashboardSettings {
  requireOptions(options, "createDashboard");
  refuseWrongOptions(options, optionKinds);
  const { authorize, links = false, people = false } = options;
  const { brandColor = null, pictures = true, uploads } = options;
  if (!authorize && !links && !people)
    invalidOption(
      "authorize",
      "is missing: give a function that says who has sent a request, or `links: true`, so that " +
        "people come in only by links, or `people: true`, which keeps a list of them",
    );
  if (brandColor !== null && !isColor(brandColor))
    invalidOption("brandColor", "must be a colour like `#1a6b3c`");

  if (uploads !== undefined && typeof uploads?.put !== "function")
    invalidOption("uploads", "must have a function `put`, which stores a picture");
  if (uploads?.putFile !== undefined && typeof uploads.putFile !== "function")
    invalidOption("uploads", "must have a function as `putFile`, which stores a file");

  const path = readPath("path", options.path);
  const origin = readOrigin(options.publicUrl ?? publicOrigin);
  return {
    path,
    publicPath:
      options.publicPath === undefined ? path : readPath("publicPath", options.publicPath),
    apiPath,
    origin,
    secure: origin.startsWith("https:"),
    // The host says what its framework's request is: only it knows what it mounts this on.
    authorize: authorize
      ? async (request) => authorize({ request, native: request.native as Native })
      : null,
    links,
    people,
    rpId: domainOf(origin),
    brandColor,
    pictures,
    uploads: uploads ?? null,
  };
}

function readPath(name: string, path: unknown): string {
  if (typeof path !== "string" || !/^(\/[A-Za-z0-9._~-]+)*\/?$/.test(path) || hasDots(path))
    return invalidOption(name, "must be a path like `/dashboard`, of letters, digits and . _ ~ -");
  return path.replace(/\/$/, "");
}

/** Browsers keep passkeys for names alone, and not for an IP address. */
function domainOf(origin: string): string | null {
  const { hostname } = new URL(origin);
  return /^[\d.]+$|^\[/.test(hostname) ? null : hostname;
}

const hasDots = (path: string): boolean => /\/\.{1,2}(\/|$)/.test(path);

/** A cookie that plain http carries can be read on its way, so only this machine may use it. */
function readOrigin(publicUrl: string): string {
  if (publicUrl === "")
    return invalidOption(
      "publicUrl",
      "is missing: give the origin that browsers see, here or to createStorefront",
    );

  const url = parseUrl(publicUrl);
  if (url && isSafeTransport(url)) return url.origin;
  return invalidOption("publicUrl", "must begin with https:// (http only on localhost)");
}
