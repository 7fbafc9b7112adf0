import type { Order } from "../../contract/schemas.ts";
import { callApi } from "./desk.ts";
import { type Session, sessionPath } from "./session.ts";
import type { ApiFault, StoreApi } from "./store-api.ts";

/** Gives the page of an order: that of its session, or where buyers come back to. */
export async function findPermalink(
  api: StoreApi,
  { checkout_session_id }: Order,
  success_url: string,
): Promise<string> {
  try {
    const path = sessionPath(checkout_session_id ?? "");
    const { data } = await callApi<Session>(api, { method: "GET", path }, faultOf);
    return data.checkout_url ?? data.success_url;
  } catch (error) {
    // Old sessions are deleted; their orders stay.
    if (error instanceof Error && error.message === "resource_not_found") return success_url;
    throw error;
  }
}

const faultOf = ({ code }: ApiFault): Error => new Error(String(code));
