/** An error that Stripe answers with. */
export class StripeFault extends Error {
  readonly status: number;
  readonly body: { readonly error: Readonly<Record<string, unknown>> };

  constructor(
    status: number,
    error: { readonly type: string; readonly message: string; readonly [field: string]: unknown },
  ) {
    super(error.message);
    this.status = status;
    this.body = { error };
  }
}

export const invalidRequest = (
  message: string,
  more: Readonly<Record<string, unknown>> = {},
): StripeFault => new StripeFault(400, { type: "invalid_request_error", message, ...more });

export const missing = (kind: string, id: string): StripeFault =>
  new StripeFault(404, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such ${kind}: '${id}'`,
    param: "id",
  });
