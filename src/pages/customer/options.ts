import type { Store } from "../../contract/schemas.ts";
import type { WireRequest } from "../../http/wire.ts";
import type { Partition } from "../../rules/records.ts";

/** Names the store on a receipt, as the law of its country asks. */
export interface ReceiptSeller {
  readonly legal_name?: string | null | undefined;
  /** A line feed begins a new line. */
  readonly address?: string | null | undefined;
  readonly tax_id?: string | null | undefined;
}

/** A buyer token of yours, with the store and the mode that it is for. */
export interface HandedToken extends Partition {
  readonly token: string;
}

/** Turns on the page at which buyers see what they have bought. */
export interface CustomerPageOptions {
  /** The page's own address, with a path, like `https://shop.example.com/account`. */
  readonly baseUrl: string;
  /** Says who sells, for receipts. Without it, or with null, the store's name stands there. */
  readonly seller?:
    | ((
        store: Store,
      ) => ReceiptSeller | null | undefined | Promise<ReceiptSeller | null | undefined>)
    | undefined;
  /**
   * Gives the token of the buyer whom your own session knows, so that no link is needed. Null
   * means that nobody is signed in. It is asked at each request without a session of the page.
   */
  readonly token?:
    | ((request: WireRequest) => HandedToken | null | Promise<HandedToken | null>)
    | undefined;
}
