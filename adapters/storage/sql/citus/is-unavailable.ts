import { isApiError } from "../../../../src/contract/errors.ts";

/** True when the database, or one of its nodes, could not do it now. */
export const isUnavailable = (error: unknown): boolean =>
  isApiError(error) && error.code === "service_unavailable";
