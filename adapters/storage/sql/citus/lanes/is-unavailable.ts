import { isApiError } from "#core/contract/errors.ts";

/** Tells whether the database, or one of its nodes, was unavailable. */
export const isUnavailable = (error: unknown): boolean =>
  isApiError(error) && error.code === "service_unavailable";
