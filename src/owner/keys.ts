import { z } from "zod";
import { publishableScopes, type Scope, scopes } from "../contract/scopes.ts";
import { createApiKey } from "../domain/keys/api-keys.ts";
import { sha256 } from "../domain/keys/hash.ts";
import { iso } from "../domain/text/iso.ts";
import { check, checkId, refuse } from "../input/check.ts";
import { foreignId, text } from "../input/fields.ts";
import type { StoredKey } from "../rules/owner/key-use.ts";
import type { KeyRecord } from "../rules/records.ts";
import { createKey, revokeKey } from "../steps/record-steps.ts";
import { notFound, type OwnerContext, unknownStore } from "./context.ts";
import { requireKnownStore } from "./known-store.ts";

export const KeyInput = z.strictObject({
  store_id: foreignId,
  livemode: z.boolean(),
  kind: z.enum(["publishable", "secret"]),
  name: text(100).nullish(),
  scopes: z.array(z.enum(scopes)).max(50).readonly().nullish(),
});
/** Describes a new key. Without `scopes` it gets all that its kind can have. */
export interface KeyInput extends z.input<typeof KeyInput> {}

/** An API key without its text. */
export interface KeyInfo {
  readonly id: string;
  readonly store_id: string;
  readonly livemode: boolean;
  readonly kind: "publishable" | "secret";
  readonly name: string;
  readonly scopes: readonly string[];
  /** The last four characters of the key, by which it is recognised. */
  readonly last4: string;
  /** A time in ISO 8601, in UTC. */
  readonly created_at: string;
  /** The time at which the key was revoked, in ISO 8601, in UTC. Null while the key is valid. */
  readonly revoked_at: string | null;
  /**
   * The time at which a request with this key was last accepted, in ISO 8601, in UTC. The true time
   * may be up to an hour later. Null means that no use was noted.
   */
  readonly last_used_at: string | null;
}

/** A new API key. Its text is shown only here. */
export interface CreatedKey extends KeyInfo {
  /**
   * The whole key. It is shown only here, because the storage has nothing but
   * its hash.
   */
  readonly key: string;
}

/** Manages the API keys of a store. */
export interface OwnerKeys {
  /** Creates a key. Throws `resource_not_found` for a store that does not exist. */
  create(input: KeyInput): Promise<CreatedKey>;
  /** Lists all keys, also the revoked ones. */
  list(store_id: string): Promise<readonly KeyInfo[]>;
  /**
   * Revokes a key for good. A repeat keeps the time of the first call. Other
   * processes accept the key for `accessCacheMs` at most.
   */
  revoke(store_id: string, key_id: string): Promise<KeyInfo>;
}

const render = (key: StoredKey): KeyInfo => ({
  id: key.id,
  store_id: key.store_id,
  livemode: key.livemode,
  kind: key.kind,
  name: key.name,
  scopes: [...key.scopes],
  last4: key.last4,
  created_at: iso(key.created_at),
  revoked_at: key.revoked_at === null ? null : iso(key.revoked_at),
  last_used_at: key.last_used_at === null ? null : iso(key.last_used_at),
});

export function createKeys(ctx: OwnerContext): OwnerKeys {
  const { access, records } = ctx.storage;
  return {
    async create(input) {
      const { store_id, livemode, kind, name, scopes: wanted } = check(KeyInput, input);

      const key = createApiKey({ livemode, kind }, ctx.randomBytes);
      const record: KeyRecord = {
        id: ctx.newId("key"),
        store_id,
        livemode,
        kind,
        name: name ?? `${livemode ? "Live" : "Test"} ${kind} key`,
        scopes: scopesOf(kind, wanted ?? null),
        key_hash: await sha256(key),
        last4: key.slice(-4),
        created_at: ctx.now(),
        revoked_at: null,
      };

      const { outcome } = await createKey(records, record);
      if (outcome === "unknown_store") return unknownStore();

      ctx.changed(store_id);
      return { ...render({ ...record, last_used_at: null }), key };
    },

    async list(store_id) {
      const store = checkId("store_id", store_id);
      await ctx.flushKeyUses();
      const keys = await access.listKeys(store);
      if (keys.length === 0) await requireKnownStore(ctx, store);
      return keys.map(render);
    },

    async revoke(store_id, key_id) {
      const store = checkId("store_id", store_id);
      const key = await revokeKey(
        records,
        { store_id: store, id: checkId("key_id", key_id) },
        ctx.now(),
      );
      if (!key) return notFound(ctx, store, "key_id");

      ctx.changed(store);
      return render(key);
    },
  };
}

function scopesOf(kind: KeyInput["kind"], wanted: readonly Scope[] | null): readonly Scope[] {
  const possible: readonly Scope[] = kind === "publishable" ? publishableScopes : scopes;
  if (wanted === null) return possible;

  const beyond = wanted.findIndex((scope) => !possible.includes(scope));
  if (beyond >= 0)
    refuse(`scopes[${beyond}]`, `must be one of ${possible.join(", ")} for a publishable key`);
  return possible.filter((scope) => wanted.includes(scope));
}
