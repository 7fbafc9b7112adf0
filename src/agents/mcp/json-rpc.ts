import type { WireReply } from "../../http/wire.ts";
import { isRecord, json } from "../shared/json.ts";

/** The codes of JSON-RPC 2.0, and those that MCP 2026-07-28 adds to them. */
export const rpcCodes = {
  parse_error: -32700,
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
  internal_error: -32603,
  header_mismatch: -32020,
  unsupported_version: -32022,
} as const;

export type RpcId = string | number;

/** A JSON-RPC request, or a notification when `id` is null. */
export interface RpcMessage {
  readonly id: RpcId | null;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** An error that a JSON-RPC answer tells of. */
export class RpcFault extends Error {
  readonly code: number;
  readonly status: number;
  readonly data: unknown;

  constructor(name: keyof typeof rpcCodes, message: string, { status = 400, data = {} } = {}) {
    super(message);
    this.code = rpcCodes[name];
    this.status = status;
    this.data = Object.keys(data).length > 0 ? data : undefined;
  }
}

/** Gives the id of whatever came, so that an error can carry it. */
export const idOf = (body: unknown): RpcId | null => {
  const id = isRecord(body) ? body["id"] : null;
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as RpcId) : null;
};

/** Reads one message. A batch is none: MCP has not had them since 2025-06-18. */
export function readMessage(body: unknown): RpcMessage {
  if (!isRecord(body) || body["jsonrpc"] !== "2.0" || typeof body["method"] !== "string")
    throw new RpcFault("invalid_request", "The body must be one JSON-RPC 2.0 request.");

  const id = idOf(body);
  if (id === null && "id" in body)
    throw new RpcFault("invalid_request", "The id must be text or a whole number.");

  const { params = {} } = body;
  if (!isRecord(params)) throw new RpcFault("invalid_params", "params must be an object.");
  return { id, method: body["method"], params };
}

export const rpcResult = (id: RpcId, result: unknown): WireReply =>
  json(200, { jsonrpc: "2.0", id, result });

export const rpcError = (id: RpcId | null, { status, code, message, data }: RpcFault): WireReply =>
  json(status, {
    jsonrpc: "2.0",
    ...(id === null ? {} : { id }),
    error: { code, message, ...(data === undefined ? {} : { data }) },
  });

/** An answer without a body. */
export const bare = (status: number, more: Readonly<Record<string, string>> = {}): WireReply => ({
  status,
  headers: { "cache-control": "no-store", ...more },
  body: null,
});
