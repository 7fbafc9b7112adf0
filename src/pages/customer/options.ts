import type { Store } from "../../contract/schemas.ts";
import type { WireRequest } from "../../http/wire.ts";
import type { Partition } from "../../rules/records.ts";
import type { CustomerTexts } from "./texts/text-names.ts";

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

/** A file that a buyer may have, as the product names it. */
export interface WantedFile extends Partition {
  /** Your own name of the file: `delivery.file` of the product. */
  readonly file: string;
  /** The name under which the buyer saves it. */
  readonly name: string;
  readonly order_id: string;
}

/** A file that is there: at an address that only this buyer learns, or its bytes. */
export type OpenedFile =
  | { readonly url: string }
  | {
      readonly body: Uint8Array | AsyncIterable<Uint8Array>;
      /** The media type, `application/octet-stream` by default. */
      readonly type?: string | undefined;
      /** How many bytes it has, so that a browser shows how far it is. */
      readonly size?: number | undefined;
    };

/** Your own store of files. It may be the `uploads` of the dashboard, with `open` besides. */
export interface CustomerPageUploads {
  /**
   * Opens a file, after the library has checked that the buyer may have it. Give the signed
   * address of a bucket, or the bytes. Null means that there is no such file.
   */
  open(file: WantedFile): OpenedFile | null | Promise<OpenedFile | null>;
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
   * The texts by language, like `{ es: {…}, pt: { title: "…" } }`. They are laid over the page's
   * own of `en` and `pt`; what another language leaves out is English.
   */
  readonly texts?: Readonly<Record<string, Partial<CustomerTexts>>> | undefined;
  /** Hands over the files that products deliver. Without it no file is handed over. */
  readonly uploads?: CustomerPageUploads | undefined;
  /**
   * Gives the token of the buyer whom your own session knows, so that no link is needed. Null
   * means that nobody is signed in. It is asked at each request without a session of the page.
   */
  readonly token?:
    | ((request: WireRequest) => HandedToken | null | Promise<HandedToken | null>)
    | undefined;
}
