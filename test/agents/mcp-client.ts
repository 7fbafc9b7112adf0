import { once } from "node:events";
import { createServer } from "node:http";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect, onTestFinished } from "vitest";
import type { McpEndpoint } from "vitrine/mcp";
import { toNode } from "vitrine/node";

/** The revision of the protocol that this client speaks. */
export const version = "2026-07-28";

export const meta = (protocol = version) => ({
  "io.modelcontextprotocol/protocolVersion": protocol,
  "io.modelcontextprotocol/clientCapabilities": {},
});

export interface SentToMcp {
  readonly headers?: Record<string, string | undefined>;
  readonly body?: string;
}

/** Mounts an endpoint at a server of its own, until the test ends, and gives its address. */
export async function listen(endpoint: McpEndpoint, path = "/mcp"): Promise<string> {
  const server = createServer(toNode(endpoint)).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as { port: number }).port}${path}`;
}

const validators = new Map<string, ValidateFunction>();

/** Compiles each schema once: hundreds of calls have the same few. */
function validatorOf(schema: object): ValidateFunction {
  const text = JSON.stringify(schema);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const validate = validators.get(text) ?? ajv.compile(schema);
  validators.set(text, validate);
  return validate;
}

/** Gives a client of the endpoint at this address. `always` is sent with each request. */
export function mcpClient(url: string, always: Record<string, string | undefined> = {}) {
  /** Sends a request as a client of the protocol does. */
  async function send(method: string, params: Record<string, unknown> = {}, sent: SentToMcp = {}) {
    const headers: Record<string, string | undefined> = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": version,
      "mcp-method": method,
      ...(typeof params["name"] === "string" ? { "mcp-name": params["name"] } : {}),
      ...always,
      ...sent.headers,
    };
    const given = Object.entries(headers).filter((pair): pair is [string, string] => !!pair[1]);
    const whole = { jsonrpc: "2.0", id: 7, method, params: { _meta: meta(), ...params } };
    const answer = await fetch(url, {
      method: "POST",
      headers: given,
      body: sent.body ?? JSON.stringify(whole),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text ? JSON.parse(text) : null };
  }

  /** Calls a tool, and compares its result with the tool's own schema. */
  async function call(name: string, args: Record<string, unknown> = {}, sent: SentToMcp = {}) {
    const { body } = await send("tools/call", { name, arguments: args }, sent);
    const { result } = body;
    if (result.isError) return { error: JSON.parse(result.content[0].text).error };

    const listed = (await send("tools/list", {}, sent)).body.result.tools;
    const { outputSchema } = listed.find((tool: { name: string }) => tool.name === name);
    const validate = validatorOf(outputSchema);
    expect(validate(result.structuredContent), JSON.stringify(validate.errors)).toBe(true);
    expect(JSON.parse(result.content[1].text)).toEqual(result.structuredContent);
    expect(result._meta["vitrine/untrusted_text"]).toBe(true);
    return result.structuredContent;
  }

  return { send, call };
}
