import type { ChildProcess } from "node:child_process";
import { forkable } from "../bundle.ts";
import type { CrashJob, CrashNews, CrashTask } from "./job.ts";

/** Processes that die on their way. One does the work, and the next one waits beside it. */
export interface Mortals {
  /** How many were killed so far. */
  readonly kills: number;
  /** Gives the task to a process, and says whether it was killed over it. */
  run(task: CrashTask, onBegun?: (token: string) => void): Promise<boolean>;
  /** Ends the processes that still wait. */
  end(): void;
}

/** The first process dies early, so that one dies at all. */
const drawLife = (isFirst: boolean, averagePoints: number): number =>
  isFirst ? 5 : Math.ceil(-Math.log(1 - Math.random()) * averagePoints);

/**
 * Starts a worker's file. A process that was killed is replaced by the one that waits. A process
 * passes so many points on average.
 */
export async function startMortals(
  file: string,
  job: Omit<CrashJob, "dies_at">,
  averagePoints = 40,
): Promise<Mortals> {
  const start = await forkable(file);
  const begin = (isFirst: boolean) => {
    const child = start([JSON.stringify({ ...job, dies_at: drawLife(isFirst, averagePoints) })]);
    return { child, ready: untilNews(child) };
  };
  let [working, spare] = [begin(true), begin(false)];
  let kills = 0;

  return {
    get kills() {
      return kills;
    },
    async run(task, onBegun = () => {}) {
      const { child, ready } = working;
      await ready;
      const ended = untilNews(child, onBegun);
      child.send(task);
      if ((await ended) === "done") return false;

      kills += 1;
      working = spare;
      spare = begin(false);
      return true;
    },
    end() {
      for (const { child } of [working, spare]) child.kill("SIGKILL");
    },
  };
}

/** Resolves when the process waits for work or was killed. It must not end in any other way. */
function untilNews(
  child: ChildProcess,
  onBegun: (token: string) => void = () => {},
): Promise<"ready" | "done" | "killed"> {
  return new Promise((resolve, reject) => {
    const listen = (news: CrashNews): void => {
      if ("begun" in news) {
        onBegun(news.begun);
        return;
      }
      child.off("message", listen).off("exit", exit);
      resolve(news.type);
    };
    const exit = (code: number | null, signal: string | null): void => {
      child.off("message", listen);
      if (signal === "SIGKILL") resolve("killed");
      else reject(new Error(`A worker ended by itself with ${code}.`));
    };
    child.on("message", listen).once("exit", exit);
  });
}
