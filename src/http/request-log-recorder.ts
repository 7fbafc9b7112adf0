import { paths } from "../contract/paths.ts";
import { networkOf } from "../domain/client-ip.ts";
import { base64url } from "../domain/hash.ts";
import type { RequestEntry } from "../rules/request-log.ts";
import { bodyShape } from "../rules/request-log-body.ts";
import { loggedParam } from "../rules/request-log-fields.ts";
import {
  bodyValues,
  differentPaths,
  hashValues,
  type ValueHashes,
} from "../rules/request-log-values.ts";
import { idempotencyOf } from "./instrumentation.ts";
import type { RequestLogSettings } from "./request-log-settings.ts";
import { createLogWriter } from "./request-log-writer.ts";
import { accessOf, type RequestState } from "./request-state.ts";
import type { WireReply } from "./wire.ts";

/** A request with its answer. */
export interface EndedRequest {
  readonly state: RequestState;
  readonly reply: WireReply;
  /** Epoch milliseconds. */
  readonly created_at: number;
  readonly duration_ms: number;
}

/** What stands behind `RequestLog`. */
export interface Recorder {
  /** Never throws. */
  add(ended: EndedRequest): void;
  hashBody(state: RequestState, keyName: string): Promise<string>;
  differentPaths(state: RequestState, keyName: string, hashed: string): Promise<readonly string[]>;
  flush(): Promise<void>;
}

export function createRecorder(settings: RequestLogSettings): Recorder {
  const { keyRing, onError } = settings;
  const writer = createLogWriter(settings);
  const secretOf = createSecrets(settings);

  const hashesOf = async (state: RequestState, salt: string, keyId: string): Promise<ValueHashes> =>
    hashValues(bodyValues(state.body, state.buyer?.customer_id ?? null), {
      secret: await secretOf(keyId),
      salt,
    });

  return {
    add(ended) {
      try {
        const { store_id, livemode } = accessOf(ended.state).key;
        writer.add({ store_id, livemode, entry: entryOf(settings, ended) });
      } catch (error) {
        onError(error, "request log");
      }
    },

    async hashBody(state, keyName) {
      const { id } = keyRing.current;
      return JSON.stringify([id, await hashesOf(state, keyName, id)]);
    },

    async differentPaths(state, keyName, hashed) {
      // `hashBody` alone writes this JSON.
      const [keyId, before]: [string, ValueHashes] = JSON.parse(hashed);
      // What a seal key has hashed that is gone by now cannot be compared.
      if (!keyRing.ids.includes(keyId)) return [];
      return differentPaths(before, await hashesOf(state, keyName, keyId));
    },

    flush: writer.flush,
  };
}

/** The secret of each seal key, derived once. */
function createSecrets({ keyRing }: RequestLogSettings): (keyId: string) => Promise<string> {
  const secrets = new Map<string, Promise<string>>();

  return (keyId) => {
    const known = secrets.get(keyId) ?? keyRing.derive(keyId, "request-log").then(base64url);
    secrets.set(keyId, known);
    return known;
  };
}

function entryOf({ bodies }: RequestLogSettings, ended: EndedRequest): RequestEntry {
  const { state, reply, created_at, duration_ms } = ended;
  const { error_param, earlier } = state;
  const keepsBody = bodies === "all" || (bodies === "errors" && reply.status >= 400);

  return {
    id: state.request_id,
    created_at,
    key_id: accessOf(state).key.id,
    route: state.match && paths[state.match.operation],
    status: reply.status,
    code: state.error_code,
    param: error_param === null ? null : loggedParam(error_param),
    duration_ms: Math.round(duration_ms),
    idempotency: idempotencyOf(state, reply),
    earlier_request_id: earlier?.request_id ?? null,
    different_paths: earlier?.different_paths ?? [],
    network: networkOf(state.request.ip),
    body: keepsBody && state.body !== undefined ? bodyShape(state.body, error_param) : null,
  };
}
