import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import autocannon from "autocannon";

export const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Each side in turn, `rounds` times: what the machine does meanwhile hits all alike. Gives medians per second. */
export async function alternate(rounds: number, sides: Readonly<Record<string, () => Promise<number>>>): Promise<Record<string, number>> {
  const seen: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round++)
    for (const [name, run] of Object.entries(sides)) {
      seen[name] = [...(seen[name] ?? []), await run()];
      process.stderr.write(".");
    }
  return Object.fromEntries(Object.entries(seen).map(([name, values]) => [name, Math.round(median(values))]));
}

export interface Served {
  readonly url: string;
  readonly key: string;
  readonly slugs: readonly string[];
  readonly product_ids: readonly string[];
  stop(): Promise<void>;
}

/** A server in a process of its own, filled and listening. */
export async function startServer(file: string, ...args: readonly string[]): Promise<Served> {
  const child: ChildProcess = fork(resolve(import.meta.dirname, "servers", file), args, { execArgv: ["--import", "tsx"] });
  const [ready] = await once(child, "message");
  return {
    ...ready,
    async stop() {
      child.kill();
      await once(child, "exit");
    },
  };
}

export interface Load {
  readonly method?: "GET" | "POST";
  readonly headers?: Record<string, string>;
  readonly paths?: readonly string[];
  readonly body?: (index: number) => string;
  readonly seconds: number;
  readonly connections?: number;
  /** The only status that counts. */
  readonly status: number;
}

let serial = 0;

/** Answers per second over kept-alive connections; another status than the wanted one ends the bench. */
export async function load(server: Served, { method = "GET", headers = {}, paths = ["/"], body, seconds, connections = 32, status }: Load) {
  const requests = paths.map((path) => ({
    method,
    path: `/v1${path}`,
    headers: { authorization: `Bearer ${server.key}`, ...headers },
    ...(body
      ? {
          setupRequest: (request: autocannon.Request) => ({
            ...request,
            headers: { ...request.headers, "content-type": "application/json", "idempotency-key": `bench-${process.pid}-${++serial}` },
            body: body(serial),
          }),
        }
      : {}),
  }));
  const result = await autocannon({ url: server.url, connections, duration: seconds, requests });
  const counts = result.statusCodeStats as Record<string, { count: number }> | undefined;
  const other = Object.entries(counts ?? {}).filter(([code]) => code !== String(status));
  if (other.length > 0 || result.errors > 0) throw new Error(`${server.url} answered ${JSON.stringify(counts)}, ${result.errors} errors.`);
  return result.requests.average;
}

/** Zipf over 0..n-1, the same sequence each time. */
export function zipf(n: number, count: number): number[] {
  const weights = Array.from({ length: n }, (_, index) => 1 / (index + 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let seed = 42;
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  return Array.from({ length: count }, () => {
    let left = random() * total;
    for (let index = 0; index < n; index++) {
      left -= weights[index] ?? 0;
      if (left <= 0) return index;
    }
    return n - 1;
  });
}
