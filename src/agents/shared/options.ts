import { readBasePath } from "../../input/base-path.ts";
import { invalidOption, type OptionNames, requireOptions } from "../../input/option-error.ts";
import { type OptionKind, refuseWrongOptions } from "../../input/option-kinds.ts";

/** Throws `invalid_option` when an endpoint is given something else than a storefront. */
export function checkStorefront(storefront: unknown): void {
  if (typeof Object(storefront).serve !== "function")
    invalidOption("storefront", "must be what createStorefront returned");
}

/** Matches a secret key of a store, and tells its mode. */
export const secretKey = /^hk_(live|test)_sec_\w+$/;

/** The options that the endpoints of all protocols take. */
interface SharedOptions {
  readonly endpoint: string;
  readonly key: string;
  readonly success_url: string;
  readonly cancel_url: string;
  readonly basePath?: string | undefined;
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Reads what the endpoints of both protocols take. Throws `invalid_option` when one is wrong. */
export function readShared<Options extends SharedOptions>(
  given: Options,
  protocol: "acp" | "ucp",
  kinds: OptionNames<Options, OptionKind>,
) {
  requireOptions(given, protocol === "acp" ? "createAcp" : "createUcp");
  refuseWrongOptions(given, kinds);
  const { endpoint, key, success_url, cancel_url, onError } = given;

  if (typeof endpoint !== "string" || !/^https?:\/\/[^/?#\s]+(\/[^/?#\s]+)+$/.test(endpoint))
    invalidOption(
      "endpoint",
      `must be a public address with a path: https://shop.example.com/${protocol}`,
    );
  if (typeof key !== "string" || !secretKey.test(key))
    invalidOption("key", "must be a secret key of the store (hk_…_sec_…): agents never see it");
  checkReturnUrls({ success_url, cancel_url });

  return {
    endpoint,
    path: new URL(endpoint).pathname,
    key,
    success_url,
    cancel_url,
    basePath: readBasePath(given.basePath),
    now: (): number => Date.now(),
    onError: onError ?? ((error: unknown) => console.error(`vitrine/${protocol}:`, error)),
  };
}

interface ReturnUrls {
  readonly success_url: string;
  readonly cancel_url: string;
}

/** Checks that both return URLs are given. The API refuses those that are not registered. */
export function checkReturnUrls({ success_url, cancel_url }: ReturnUrls): void {
  for (const [name, url] of Object.entries({ success_url, cancel_url }))
    if (typeof url !== "string" || url === "")
      invalidOption(name, "must be a return URL that the store has registered");
}
