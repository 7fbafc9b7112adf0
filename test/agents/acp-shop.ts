import { memoryStorage, type StorefrontOptions } from "vitrine";
import { type AcpEndpoint, type AcpOptions, createAcp } from "vitrine/acp";
import { createShop, returnUrl, type Shop } from "../support/shop.ts";
import { type AcpClient, acpClient, endpointUrl, type Version } from "./acp-client.ts";

/** Opens a shop in which two agents may buy. */
export async function openAcpShop(
  storage = memoryStorage(),
  version?: Version,
  { limits, ...options }: Partial<StorefrontOptions> = {},
) {
  const shop: Shop = await createShop(storage, {
    limits: { checkout: null, sessions: null, ...limits },
    ...options,
  });
  const agentKey = async (scopes: "checkout:write"[] = ["checkout:write"]) => {
    const where = { store_id: shop.a.id, livemode: false, kind: "secret" } as const;
    return shop.owner.keys.create({ ...where, scopes });
  };
  const [assistant, other] = [await agentKey(), await agentKey()];
  const agents = { assistant: assistant.key, other: other.key };

  const mounted = (options: Partial<AcpOptions> = {}): AcpEndpoint =>
    createAcp(shop.storefront, {
      endpoint: endpointUrl,
      agents,
      key: shop.a.test.sec,
      success_url: returnUrl,
      cancel_url: returnUrl,
      ...options,
    });
  const endpoint = mounted();
  const send: AcpClient = acpClient(endpoint, agents.assistant, version);

  const wanted = (more: object = {}, id = shop.product.id) => ({
    line_items: [{ id }],
    currency: "brl",
    capabilities: {},
    ...more,
  });
  return {
    shop,
    agents,
    assistant,
    mounted,
    endpoint,
    send,
    wanted,
    create: async (body: object = wanted()) =>
      (await send("POST", "/checkout_sessions", body)).body,
    pay: (session: { continue_url: string }, more: object = {}) =>
      shop.storefront.checkout.submit(session.continue_url.split("/").at(-1) ?? "", {
        payment_method_id: shop.a.method_id,
        ...more,
      }),
  };
}

export type AcpShop = Awaited<ReturnType<typeof openAcpShop>>;
