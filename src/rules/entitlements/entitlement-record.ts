/** What a product delivers once it is paid, as its owner keeps it. */
export type ProductDelivery =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "link"; readonly url: string }
  | {
      /** Each line that is bought gets a key of its own. */
      readonly type: "license_key";
      /** So many activations come with each piece. Null or absent is no limit. */
      readonly activations?: number | null | undefined;
    };

/** A license key. Nobody reads it from the storage without the seal key. */
export interface LicenseKeyRecord {
  readonly type: "license_key";
  /** The SHA-256 of the key, in hex. */
  readonly key_hash: string;
  /** The key, sealed for the entitlement's id. Null once the buyer is erased. */
  readonly sealed_key: string | null;
  readonly last4: string;
  /** The limit of activations, as the product had it. Absent without one. */
  readonly activations?: number;
}

/** A use of a license key, on a machine for example. */
export interface ActivationRecord {
  readonly id: string;
  /** The name that the caller has given. One key has one activation of a name. */
  readonly name: string;
  readonly created_at: number;
}

/** What the buyer gets. */
export type DeliveredContent =
  | Exclude<ProductDelivery, { readonly type: "license_key" }>
  | LicenseKeyRecord;

/** What a session's line delivers once it is paid. Nobody is shown it before. */
export interface LineDelivery {
  /** The id of the entitlement to be. It is made with the line, so that no line grants twice. */
  readonly id: string;
  readonly content: DeliveredContent;
}

/** What a buyer has got for one item of a paid order. */
export interface EntitlementRecord extends LineDelivery {
  readonly item_id: string;
  readonly product_id: string;
  readonly quantity: number;
  readonly granted_at: number;
  /** Null while the buyer may use it. */
  readonly revoked_at: number | null;
  /** The activations of a license key, the oldest first. Absent before the first one. */
  readonly activations?: readonly ActivationRecord[];
}
