import { letExit } from "../../domain/async/let-exit.ts";
import { isNewUse } from "../../rules/owner/key-use.ts";
import type { AccessStore } from "../../storage/types.ts";
import { keepRunning } from "../health/keep-running.ts";
import { accessOf, type RequestState } from "../request-state.ts";

/** Notes when keys were last used (docs/contract/access.md#keys). No answer waits for it. */
export interface KeyUses {
  /** Call this for a request whose key was accepted. It never throws. */
  add(state: RequestState): void;
  /** Resolves when every use that was added until now is written or lost. It never rejects. */
  flush(): Promise<void>;
}

interface KeyUsesParts {
  readonly access: Pick<AccessStore, "noteKeyUses">;
  now(): number;
  onError(error: unknown, where: string): void;
}

const batchMs = 1_000;
/** When there are more keys than this, some are written again within their hour. */
const maxNoted = 10_000;

/**
 * Collects the uses of one second, and writes them as one batch. This process gives the
 * same key to the storage once an hour; the storage keeps it once an hour for all of them.
 */
export function createKeyUses({ access, now, onError }: KeyUsesParts): KeyUses {
  const noted = new Map<string, number>();
  let waiting = new Map<string, number>();
  let batch: Promise<void> | null = null;
  let written: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    const uses = [...waiting].map(([key_hash, used_at]) => ({ key_hash, used_at }));
    waiting = new Map();
    if (uses.length === 0) return;
    try {
      await access.noteKeyUses(uses);
    } catch (error) {
      onError(error, "key uses");
    }
  };
  const flush = (): Promise<void> => {
    written = written.then(write);
    return written;
  };
  const startBatch = (): Promise<void> =>
    new Promise((resolve) => {
      const timer: unknown = setTimeout(() => {
        batch = null;
        resolve(flush());
      }, batchMs);
      letExit(timer);
    });

  return {
    add(state) {
      const { key_hash } = accessOf(state).key;
      const used_at = now();
      if (!isNewUse(used_at, noted.get(key_hash))) return;

      if (noted.size >= maxNoted) noted.clear();
      noted.set(key_hash, used_at);
      waiting.set(key_hash, used_at);
      batch ??= startBatch();
      const ended = batch;
      keepRunning(state.request, () => ended, onError);
    },
    flush,
  };
}
