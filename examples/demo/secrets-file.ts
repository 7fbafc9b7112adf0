import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** What a mode of a store was given once and is stored nowhere else. */
export interface ModeKeys {
  readonly publishable: string;
  readonly secret: string;
}

export interface StoreSecrets {
  readonly store_id: string;
  readonly keys: { readonly test: ModeKeys; readonly live: ModeKeys };
  readonly scoped_key: string;
  readonly revoked_key: string;
  readonly endpoint_id: string;
  readonly webhook_secret: string;
}

export interface DemoSecrets {
  /** 32 bytes, base64. */
  readonly seal_key: string;
  readonly token_key: string;
  readonly stores: readonly StoreSecrets[];
}

/** Null when the file is not there or not readable as ours. */
export function loadSecrets(path: string): DemoSecrets | null {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isSecrets(parsed) ? parsed : null;
  } catch (error) {
    if (error instanceof SyntaxError || (error as { code?: unknown }).code === "ENOENT")
      return null;
    throw error;
  }
}

/** Whole or not at all, and for this user alone. */
export function saveSecrets(path: string, secrets: DemoSecrets): void {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}

function isSecrets(value: unknown): value is DemoSecrets {
  if (typeof value !== "object" || value === null) return false;
  const { seal_key, token_key, stores } = value as Partial<DemoSecrets>;
  return (
    [seal_key, token_key].every(
      (key) => typeof key === "string" && Buffer.from(key, "base64").length === 32,
    ) &&
    Array.isArray(stores) &&
    stores.length === 2 &&
    stores.every(isStoreSecrets)
  );
}

function isStoreSecrets(value: unknown): value is StoreSecrets {
  if (typeof value !== "object" || value === null) return false;
  const { store_id, keys, scoped_key, revoked_key, endpoint_id, webhook_secret } =
    value as Partial<StoreSecrets>;
  const pairs = [keys?.test, keys?.live].flatMap((pair) => [pair?.publishable, pair?.secret]);
  return [store_id, scoped_key, revoked_key, endpoint_id, webhook_secret, ...pairs].every(
    (text) => typeof text === "string" && text !== "",
  );
}
