import { Logger, makeWorkerUtils, run } from "graphile-worker";
import pg from "pg";
import { bodyText, createPoster, perSecond, type Work } from "./work.ts";

const quiet = new Logger(() => () => {});

/** A job for each post, fetched and completed in batches as its documentation advises for throughput; it keeps no log of attempts. */
export async function graphileWorker(url: string, work: Work): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  // It asks for listeners.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const poster = createPoster(work.open);
  try {
    const utils = await makeWorkerUtils({ pgPool: pool, logger: quiet });
    await utils.migrate();
    await utils.release();
    // All at once: one by one within a statement each job costs more than the one before it.
    await pool.query(
      `select count(*) from graphile_worker.add_jobs(array(
        select row('post', json_build_object('url', $1 || '/hooks/' || n % $2, 'id', 'evt_' || n,
          'body', '{"id":"evt_' || n || '","type":"order.paid","data":{"text":"' || $3 || '"}}'),
          null, null, null, null, null, null)::graphile_worker.job_spec
        from generate_series(1, $4::int) as n))`,
      [work.origin, work.endpoints, bodyText, work.posts],
    );
    await pool.query("vacuum analyze");
    return await perSecond(work.posts, () => drained(pool, work, poster.post));
  } finally {
    poster.close();
    await pool.end();
  }
}

async function drained(
  pool: pg.Pool,
  { posts, open }: Work,
  post: (url: string, id: string, body: string) => Promise<void>,
): Promise<void> {
  let left = posts;
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const runner = await run({
    pgPool: pool,
    logger: quiet,
    noHandleSignals: true,
    preset: {
      worker: {
        concurrentJobs: open,
        localQueue: { size: 500 },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
    taskList: {
      async post(payload) {
        const { url, id, body } = payload as { url: string; id: string; body: string };
        await post(url, id, body);
        left -= 1;
        if (left === 0) finish();
      },
    },
  });
  await Promise.race([finished, runner.promise]);
  await runner.stop(); // writes down what is not yet
  const { rows } = await pool.query("select count(*)::int as jobs from graphile_worker.jobs");
  if (rows[0].jobs !== 0) throw new Error(`graphile-worker left ${rows[0].jobs} jobs.`);
}
