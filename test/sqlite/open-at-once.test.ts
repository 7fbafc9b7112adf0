import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { forkable } from "../support/bundle.ts";

test("processes that start at once on a new file all open it, and migrate it once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-open-"));
  const start = await forkable("test/sqlite/open-worker.ts");
  const workers = Array.from({ length: 6 }, () => start([]));
  onTestFinished(() => {
    for (const worker of workers) worker.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  await Promise.all(workers.map((worker) => once(worker, "message")));

  for (let round = 0; round < 20; round += 1) {
    const answers = workers.map((worker) => once(worker, "message"));
    for (const worker of workers) worker.send(join(folder, `${round}.sqlite`));
    const told = (await Promise.all(answers)).map(([answer]) => answer);
    expect(told).toEqual(workers.map(() => "opened"));
  }
});
