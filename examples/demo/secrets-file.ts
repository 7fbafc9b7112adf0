import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** The secrets of one mode, which were shown once and are stored only in this file. */
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
  /** It is 32 bytes in base64. */
  readonly seal_key: string;
  readonly token_key: string;
  readonly stores: readonly StoreSecrets[];
}

/** Returns null when the file does not exist, or is not a file of the demo. */
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

/** Writes the whole file or nothing, and lets only this user read it. */
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
