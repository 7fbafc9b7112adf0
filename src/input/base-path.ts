import { invalidOption } from "./option-error.ts";

/** A path that begins with a slash, ends with none, and has no part `.` or `..`. */
const pathPattern = /^\/(?!.*\/$)(?!(.*\/)?\.{1,2}(\/|$))[^?#\s]*$/;

export const isPath = (path: string): boolean => pathPattern.test(path);

/** Reads the option `basePath`, of the storefront or of what calls its API. */
export function readBasePath(basePath = "/v1"): string {
  if (basePath !== "" && !isPath(basePath))
    invalidOption(
      "basePath",
      "must begin with a slash and not end with one, like `/v1`: " +
        "it is the full public path of the API",
    );
  return basePath;
}
