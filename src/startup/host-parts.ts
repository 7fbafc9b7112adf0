import type { KeyRing } from "../domain/keys/key-ring.ts";
import type { Storage } from "../storage/types.ts";
import type { WebhookTransport } from "../webhooks/send/transport.ts";
import type { Settings } from "./options/read-options.ts";

/** What the operator's commands look at: what the host has configured, and its storage. */
export interface HostParts {
  readonly storage: Storage;
  readonly settings: Settings;
  readonly keyRing: KeyRing;
  readonly transport: WebhookTransport | null;
  now(): number;
}

export { hostParts } from "../agents/shared/host-parts.ts";
