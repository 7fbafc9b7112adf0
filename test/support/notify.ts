import type { Storefront } from "vitrine";

/** A message as a provider sends it to a gateway in test mode. */
export interface ProviderMessage {
  readonly gateway: string;
  readonly body: string;
  /** With its question mark; a bank's has a secret. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Gives the status of the answer. */
export type Notify = (message: ProviderMessage) => Promise<number>;

/** Sends messages to the storefront's own endpoint, which a host mounts. */
export const notifier =
  (storefrontOf: () => Storefront): Notify =>
  async ({ gateway, body, query = "", headers = {} }) => {
    const reply = await storefrontOf().notifications.serve({
      method: "POST",
      target: `/notifications/gateways/${gateway}/test${query}`,
      header: (name) => headers[name],
      body: async () => new TextEncoder().encode(body),
    });
    return reply?.status ?? 404;
  };
