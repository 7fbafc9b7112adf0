// A process of one version, old or new: this file is built with the sources of either. It makes a
// storefront on the given database, and does what it is told.
import pg from "pg";
import { createStorefront, sandboxGateway } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { nodeTransport } from "vitrine/transport";
import { type VerifyOptions, verifyWebhook } from "vitrine/webhooks";

/** One thing to do. `id` comes back with its answer. */
interface Task {
  readonly id: number;
  /** A method of the storefront by its path, such as `owner.products.create`. */
  readonly call?: string;
  readonly args?: readonly unknown[];
  /** A request of the public API. */
  readonly path?: string;
  readonly key?: string;
  readonly body?: unknown;
  readonly idempotency_key?: string;
  readonly verify?: VerifyOptions;
}

const [kind = "", where = "", schema = "", target = ""] = process.argv.slice(2);
const options = kind === "citus" ? "-c citus.shard_count=4" : "";
const pool = kind === "sqlite" ? null : new pg.Pool({ connectionString: where, max: 6, options });
const distribute = kind === "citus" ? ({ distribute: "citus" } as const) : {};
pool?.on("error", () => {});

const storefront = createStorefront({
  storage: pool ? postgresStorage(pool, { schema, ...distribute }) : sqliteStorage(where),
  checkout: { baseUrl: "https://pay.example.com/c" },
  docsUrl: "https://docs.example.com/errors",
  gateways: [sandboxGateway()],
  sealKey: new Uint8Array(32).fill(3),
  limits: { checkout: null, coupons: null, orders: null, sessions: null, catalog: null },
  accessCacheMs: 0,
  transport: nodeTransport({ allowTargets: [target], warn: () => {} }),
  // What a killed process has claimed is soon due again.
  webhooks: { scheduleMs: [100, 200, 400, 800, 1_600, 3_200], leaseMs: 30_000 },
  // The tests run at night too.
  renewals: { hours: { from: 0, to: 24 } },
});

async function request({ path, key, body, idempotency_key }: Task): Promise<unknown> {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(idempotency_key === undefined ? {} : { "idempotency-key": idempotency_key }),
  };
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const sent = new Request(`http://host/v1${path}`, { headers, ...init });
  const response = await storefront.handler(sent, { ip: "203.0.113.9" });
  const answer = await response.json();
  if (response.ok) return answer;
  throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
}

function call({ call = "", args = [] }: Task): unknown {
  const names = call.split(".");
  const method = names.pop() ?? "";
  // biome-ignore lint/suspicious/noExplicitAny: the path is any method's
  const service = names.reduce((of: any, name) => of[name], storefront);
  return service[method](...args);
}

const run = async (task: Task): Promise<unknown> => {
  if (task.verify) return verifyWebhook(task.verify);
  return task.path === undefined ? call(task) : request(task);
};

process.on("message", (task: Task) => {
  const { id } = task;
  run(task).then(
    (result) => process.send?.({ id, result: result ?? null }),
    ({ code, message }: { code?: string; message?: string }) =>
      process.send?.({ id, error: { code: code ?? null, message: String(message) } }),
  );
});

// As a host does at its start.
await storefront.migrate();
process.send?.({ ready: true });
