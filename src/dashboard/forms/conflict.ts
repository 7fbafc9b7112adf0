import { type ApiError, type ErrorCode, isApiError } from "../../contract/errors.ts";
import { explain } from "../frame/explain.ts";
import type { Language } from "../language.ts";
import type { FormResult, ScreenForm, StoreVisit, View } from "../screen.ts";

type Send = ScreenForm["send"];

/** Answers a form that could not be carried out: the page as it is now, and why above it. */
export const conflict = (view: View, alert: string): FormResult => ({
  kind: "view",
  status: 409,
  view: { ...view, alert },
});

interface Refusal {
  /** The errors that mean a refusal. Every other error is thrown on. */
  readonly codes: readonly ErrorCode[];
  /** Renders the page anew. */
  show(visit: StoreVisit, fields: URLSearchParams): Promise<View>;
  /** Says why the form was refused. Default: `explain`. */
  readonly tell?: (language: Language, error: ApiError) => string;
}

/** Makes a `send` that shows the page again, with the reason, when a call refuses the work. */
export const withRefusal =
  ({ codes, show, tell = explain }: Refusal, send: Send): Send =>
  async (visit, fields) => {
    try {
      return await send(visit, fields);
    } catch (error) {
      if (!isApiError(error) || !codes.includes(error.code)) throw error;
      return conflict(await show(visit, fields), tell(visit.language, error));
    }
  };

/** Tells whether an error means that someone has changed or deleted the record since. */
export const isStale = (error: unknown): boolean =>
  isApiError(error) &&
  (error.code === "precondition_failed" || error.code === "resource_not_found");
