import type { WireRequest } from "../../http/wire.ts";
import type { ApiCall, ApiFault, StoreApi } from "./store-api.ts";

/** What the operations of one request of an agent work with, by every protocol. */
export interface AgentDesk {
  readonly request: WireRequest;
  readonly api: StoreApi;
  readonly success_url: string;
  readonly cancel_url: string;
  /** Closes an open session now. */
  expire(session_id: string, partition: { store_id: string; livemode: boolean }): Promise<unknown>;
  /** Makes the key by which the API knows that of the agent. Agents never share one. */
  keyOf(purpose: string): Promise<string>;
}

/** Makes a call of the API, and throws its error as one of the protocol. */
export async function callApi<Data>(
  api: StoreApi,
  asked: ApiCall,
  faultOf: (error: ApiFault) => Error,
) {
  const answer = await api<Data>(asked);
  if (!answer.ok) throw faultOf(answer.error);
  return answer.body;
}
