import { paths } from "../../contract/paths.ts";
import { networkOf } from "../../domain/client-ip.ts";
import { bodyShape } from "../../rules/request-log/request-log-body.ts";
import { differentPaths } from "../../rules/request-log/request-log-difference.ts";
import type { RequestEntry } from "../../rules/request-log/request-log-entries.ts";
import { loggedParam } from "../../rules/request-log/request-log-fields.ts";
import { createLimitedCalls } from "../access/limited-calls.ts";
import { idempotencyOf } from "../observe/instrumentation.ts";
import { accessOf, type RequestState, sentBy } from "../request-state.ts";
import type { WireReply } from "../wire.ts";
import type { RequestLogSettings } from "./request-log-settings.ts";
import { createLogWriter } from "./request-log-writer.ts";

/** A request with its answer. */
export interface EndedRequest {
  readonly state: RequestState;
  readonly reply: WireReply;
  /** The time is in epoch milliseconds. */
  readonly created_at: number;
  readonly duration_ms: number;
}

/** Adds requests to the log. Its code is loaded at the first request. */
export interface Recorder {
  /** Adds a request to the log. It never throws. */
  add(ended: EndedRequest): void;
  flush(): Promise<void>;
}

export function createRecorder(settings: RequestLogSettings): Recorder {
  const writer = createLogWriter(settings);
  const limited = createLimitedCalls();

  return {
    add(ended) {
      try {
        const { store_id, livemode, id } = accessOf(ended.state).key;
        const isLimited = ended.reply.status === 429;
        const limitedCalls = isLimited ? limited.count(id, ended.created_at) : undefined;
        if (limitedCalls === null) return;

        writer.add({ store_id, livemode, entry: entryOf(settings, ended, limitedCalls) });
      } catch (error) {
        settings.onError(error, "request log");
      }
    },
    flush: writer.flush,
  };
}

function entryOf(
  { bodies }: RequestLogSettings,
  ended: EndedRequest,
  limited_calls: number | undefined,
): RequestEntry {
  const { state, reply, created_at, duration_ms } = ended;
  const { error_param, earlier } = state;
  const keepsBody = bodies === "all" || (bodies === "errors" && reply.status >= 400);

  return {
    id: state.request_id,
    created_at,
    key_id: accessOf(state).key.id,
    route: state.match ? paths[state.match.operation] : undefined,
    status: reply.status,
    code: state.error_code ?? undefined,
    param: error_param === null ? undefined : loggedParam(error_param),
    duration_ms: Math.round(duration_ms),
    limited_calls,
    idempotency: idempotencyOf(state, reply) ?? undefined,
    earlier_request_id: earlier?.request_id ?? undefined,
    different_paths: earlier?.sent ? differentPaths(earlier.sent, sentBy(state)) : undefined,
    network: networkOf(state.request.ip) ?? undefined,
    body: keepsBody && state.body !== undefined ? bodyShape(state.body, error_param) : undefined,
  };
}
