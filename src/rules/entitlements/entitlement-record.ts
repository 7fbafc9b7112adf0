/** What a product delivers once it is paid, as its owner keeps it. */
export type ProductDelivery =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "link"; readonly url: string }
  | {
      /** A file of the host's, which the customer page hands over. */
      readonly type: "file";
      /** The host's own name of the file, such as its key in a bucket. No buyer sees it. */
      readonly file: string;
      /** The name that the buyer sees. Null or absent is the last part of `file`. */
      readonly name?: string | null | undefined;
      /** The number of downloads that each piece brings. Null or absent means no limit. */
      readonly max_downloads?: number | null | undefined;
    }
  | {
      /** Each line that is bought gets a key of its own. */
      readonly type: "license_key";
      /** The number of activations that each piece brings. Null or absent means no limit. */
      readonly activations?: number | null | undefined;
      /** `uploaded` keys are the owner's own. Left out, keys are made here. */
      readonly source?: "made" | "uploaded" | undefined;
    };

/** A license key. Nobody reads it from the storage without the seal key. */
export interface LicenseKeyRecord {
  readonly type: "license_key";
  /**
   * The SHA-256 of a key that was made here, in hex, or the HMAC of an uploaded one. Null while
   * the buyer waits for an uploaded key.
   */
  readonly key_hash: string | null;
  /** The key, sealed for the entitlement's id or `sealed_for`. Null once the buyer is erased. */
  readonly sealed_key: string | null;
  readonly last4: string | null;
  /** The id that an uploaded key is sealed for. Absent for a key that was made here. */
  readonly sealed_for?: string;
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

/** A key that an owner has uploaded, and that nobody has got yet. */
export interface PoolKey {
  readonly id: string;
  /** The HMAC of the key. A product has a key once. */
  readonly key_hash: string;
  /** The key, sealed for `id`. */
  readonly sealed_key: string;
  readonly last4: string;
}

/** A key of a product's pool that an entitlement takes. */
export interface TakenKey {
  readonly product_id: string;
  readonly key_hash: string;
  readonly entitlement_id: string;
}

/** The keys that owners have uploaded for a product in one mode. */
export interface KeyPool {
  readonly store_id: string;
  readonly livemode: boolean;
  /** The product's id. */
  readonly id: string;
  /** The number of keys that are left. */
  readonly free: number;
  /** Those of the asked hashes that the pool has, or has given already. */
  readonly known: readonly string[];
  /** The keys that a step adds. */
  readonly added: readonly PoolKey[];
}

/** What the buyer gets. */
export type DeliveredContent =
  | Exclude<ProductDelivery, { readonly type: "license_key" }>
  | LicenseKeyRecord;

/** What a session's line delivers once it is paid. Nobody is shown it before. */
export interface LineDelivery {
  /**
   * The id that the entitlement will have. It is made with the line, so that no line grants twice.
   */
  readonly id: string;
  readonly content: DeliveredContent;
  /** The ids of the other pieces, where each piece gets a key of its own. */
  readonly more_ids?: readonly string[];
}

/** What a buyer has got for one item of a paid order. */
export interface EntitlementRecord extends Omit<LineDelivery, "more_ids"> {
  readonly item_id: string;
  readonly product_id: string;
  readonly quantity: number;
  readonly granted_at: number;
  /** Null while the buyer may use it. */
  readonly revoked_at: number | null;
  /**
   * The time at which the owner gave it again. Later refunds and disputes do not take it back,
   * until the order itself grants it. Absent otherwise.
   */
  readonly regranted_at?: number;
  /** How often the buyer has downloaded a file. Absent before the first time. */
  readonly downloads?: number;
  /** The activations of a license key, the oldest first. Absent before the first one. */
  readonly activations?: readonly ActivationRecord[];
}
