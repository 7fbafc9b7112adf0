import { Logger, makeWorkerUtils, run } from "graphile-worker";
import pg from "pg";
import { bodyText, createPoster, perSecond, type Work } from "./work.ts";

const quiet = new Logger(() => () => {});

/**
 * Sends each post as a job of graphile-worker, in batches as its documentation advises for
 * throughput. It keeps no log of attempts.
 */
export async function graphileWorker(url: string, work: Work): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  // graphile-worker logs a warning for a pool without an error listener.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const poster = createPoster(work.open);
  try {
    const utils = await makeWorkerUtils({ pgPool: pool, logger: quiet });
    await utils.migrate();
    await utils.release();
    // All jobs are added together. Added one by one, each costs more than the one before it.
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
  await runner.stop(); // This completes the jobs that are not yet written.
  const { rows } = await pool.query("select count(*)::int as jobs from graphile_worker.jobs");
  if (rows[0].jobs !== 0) throw new Error(`graphile-worker left ${rows[0].jobs} jobs.`);
}
