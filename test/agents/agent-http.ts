export interface Sent {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** These characters are sent instead of the body. */
  readonly raw?: string;
  /** The request breaks the schema on purpose. */
  readonly wrong?: boolean;
}

interface Endpoint {
  handler(request: Request, client: { readonly ip: string }): Promise<Response>;
}

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** Sends a request of an agent to an endpoint. A header without a value is left out. */
export async function askEndpoint(
  endpoint: Endpoint,
  { method, url, body, headers }: Asked,
  sent: Sent,
) {
  const hasBody = body !== undefined || sent.raw !== undefined;
  const type = hasBody ? { "content-type": "application/json" } : {};
  const given = Object.entries({ ...headers, ...type, ...sent.headers }).filter(
    (pair): pair is [string, string] => !!pair[1],
  );
  const payload = sent.raw ?? (body === undefined ? null : JSON.stringify(body));
  const request = new Request(url, { method, headers: given, body: payload });
  const reply = await endpoint.handler(request, { ip: "203.0.113.9" });

  const text = await reply.text();
  return { status: reply.status, headers: reply.headers, text, body: JSON.parse(text || "null") };
}

/** Reads one of the totals by its type. */
export const totalOf = (
  totals: readonly { readonly type: string; readonly amount: number }[],
  type: string,
): number | undefined => totals.find((total) => total.type === type)?.amount;
