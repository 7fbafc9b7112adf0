import type { WireBody } from "vitrine/node";

/** The whole text of a body, whatever it is made of. */
export async function textOf(body: WireBody | undefined): Promise<string | null> {
  if (body === undefined || body === null || typeof body === "string") return body ?? null;

  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  if (body instanceof Uint8Array) return decoder.decode(body);

  let text = "";
  for await (const part of body) text += decoder.decode(part, { stream: true });
  return text + decoder.decode();
}
