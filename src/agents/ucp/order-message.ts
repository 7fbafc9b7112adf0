import type { Message } from "../../webhooks/send/send.ts";
import type { OrderNews } from "../shared/order-news.ts";
import { showOrder } from "./orders.ts";
import { contentDigest } from "./signatures/digest.ts";
import { type Signer, signerOf } from "./signatures/sign.ts";
import { profileAddress, versionOfEndpoint } from "./versions.ts";

/** The signer of the key that was used last: reading a key costs more than signing. */
let known: { readonly secret: string; readonly signer: Signer } | undefined;

/** Writes an order as the protocol's, signed by RFC 9421. The secret is the store's private key. */
export async function writeOrder({
  url,
  agent,
  secret,
  event,
  order,
  permalink,
  started_at,
}: OrderNews): Promise<Message> {
  const agreed = { version: versionOfEndpoint(agent.endpoint), active: null };
  const body = JSON.stringify(showOrder(order, permalink, agreed));
  const headers = {
    "content-type": "application/json",
    "ucp-agent": `profile="${profileAddress(agent.endpoint)}"`,
    "webhook-id": event.id,
    "webhook-timestamp": String(Math.floor(Date.parse(event.created_at) / 1_000)),
    "content-digest": await contentDigest(new TextEncoder().encode(body)),
  };
  if (known?.secret !== secret) known = { secret, signer: signerOf(JSON.parse(secret)) };
  return { body, headers: await signed(known.signer, url, headers, started_at) };
}

async function signed(
  signer: Signer,
  url: string,
  headers: Readonly<Record<string, string>>,
  now: number,
): Promise<Readonly<Record<string, string>>> {
  const { host, pathname, search } = new URL(url);
  const query: Record<string, string> = search === "" ? {} : { "@query": search };
  const derived = { "@method": "POST", "@authority": host, "@path": pathname, ...query };
  const parts = { derived, header: (name: string) => headers[name] };
  const components = [...Object.keys(derived), ...Object.keys(headers)];
  return { ...headers, ...(await signer.sign(parts, components, now)) };
}
