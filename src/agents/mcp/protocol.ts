import { isApiError } from "../../contract/errors.ts";
import { readBody } from "../../http/body.ts";
import type { WireReply, WireRequest } from "../../http/wire.ts";
import { isRecord } from "../shared/json.ts";
import {
  bare,
  idOf,
  RpcFault,
  type RpcMessage,
  readMessage,
  rpcError,
  rpcResult,
} from "./json-rpc.ts";

// The Streamable HTTP transport of MCP 2026-07-28. The revision has no handshake, no session
// and no stream that the server opens: each POST is judged by itself.

/** The revisions of MCP that are answered. */
export const supportedVersions: readonly string[] = ["2026-07-28"];

const metaPrefix = "io.modelcontextprotocol/";

/** What an MCP server does for each method. */
export interface McpMethods {
  readonly serverInfo: { readonly name: string; readonly version: string };
  /** Gives the result of a method; null means that there is no such method. */
  call(
    message: RpcMessage,
    request: WireRequest,
  ): Promise<Readonly<Record<string, unknown>>> | null;
  /** Is told of an error that is not the client's. */
  onError(error: unknown): void;
}

/** Refuses pages of other origins, and other methods, unread. Gives null for the rest. */
export function refuseUnread(
  request: WireRequest,
  isAllowedOrigin: (origin: string) => boolean,
): WireReply | null {
  const origin = request.header("origin");
  if (origin !== undefined && !isAllowedOrigin(origin)) return bare(403);
  return request.method === "POST" ? null : bare(405, { allow: "POST" });
}

/** Answers a request that nothing has refused unread. */
export async function answerMcp(methods: McpMethods, request: WireRequest): Promise<WireReply> {
  let body: unknown;
  try {
    body = await readBody(request);
    const message = readMessage(body);
    checkMetadata(message, request);

    // No notification of a client changes anything here.
    if (message.id === null) return bare(202);
    const result = await methods.call(message, request);
    if (result === null)
      throw new RpcFault("method_not_found", "There is no such method.", { status: 404 });

    const _meta = { ...Object(result["_meta"]), [`${metaPrefix}serverInfo`]: methods.serverInfo };
    return rpcResult(message.id, { resultType: "complete", ...result, _meta });
  } catch (error) {
    return rpcError(idOf(body), faultOf(methods, error));
  }
}

function faultOf(methods: McpMethods, error: unknown): RpcFault {
  if (error instanceof RpcFault) return error;
  if (isApiError(error) && error.code === "invalid_json")
    return error.details.message === undefined
      ? new RpcFault("parse_error", "The body is not valid JSON.")
      : new RpcFault("invalid_request", "The body must be one JSON-RPC 2.0 request.");
  if (isApiError(error) && error.code === "parameter_invalid")
    return new RpcFault("invalid_request", error.message);
  if (isApiError(error) && error.code === "request_too_large")
    return new RpcFault("invalid_request", error.message, { status: 413 });
  if (isApiError(error) && error.code === "unsupported_media_type")
    return new RpcFault("invalid_request", error.message, { status: 415 });

  methods.onError(error);
  return new RpcFault("internal_error", "Something went wrong on our side.", { status: 500 });
}

/** Compares the headers with the body, as a proxy may have judged by either of them. */
function checkMetadata({ id, method, params }: RpcMessage, request: WireRequest): void {
  const version = request.header("mcp-protocol-version")?.trim();
  const named = request.header("mcp-method")?.trim();
  if (id !== null && version === undefined) throw mismatch("MCP-Protocol-Version is missing");
  if (id !== null && named === undefined) throw mismatch("Mcp-Method is missing");
  if (named !== undefined && named !== method)
    throw mismatch("Mcp-Method is not the body's method");
  if (id === null) return;

  const meta = params["_meta"];
  const asked = isRecord(meta) ? meta[`${metaPrefix}protocolVersion`] : undefined;
  if (!isRecord(meta) || typeof asked !== "string")
    throw new RpcFault("invalid_params", `params._meta must have ${metaPrefix}protocolVersion.`);
  if (!isRecord(meta[`${metaPrefix}clientCapabilities`]))
    throw new RpcFault("invalid_params", `params._meta must have ${metaPrefix}clientCapabilities.`);

  if (asked !== version) throw mismatch("MCP-Protocol-Version is not the version in params._meta");
  if (!supportedVersions.includes(asked))
    throw new RpcFault("unsupported_version", "The protocol version is not supported.", {
      data: { supported: supportedVersions, requested: asked },
    });

  if (method !== "tools/call") return;
  const name = decodedName(request.header("mcp-name"));
  if (name === null || name !== params["name"]) throw mismatch("Mcp-Name is not the tool's name");
}

const mismatch = (fault: string): RpcFault =>
  new RpcFault("header_mismatch", `Header mismatch: ${fault}.`);

/** A name that is no plain ASCII comes as `=?base64?…?=`. */
function decodedName(header: string | undefined): string | null {
  const value = header?.trim();
  if (value === undefined) return null;

  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value)?.[1];
  if (encoded === undefined) return value;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(
      Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0)),
    );
  } catch {
    return null;
  }
}

/** Gives the name by which a client calls itself. It is only a claim. */
export function clientNameOf({ params }: RpcMessage): string {
  const info = Object(Object(params["_meta"])[`${metaPrefix}clientInfo`]);
  return typeof info.name === "string" ? info.name : "";
}
