type Work = () => void | Promise<void>;

const works: Work[] = [];

/** Registers work that runs after every test of this process. */
export function afterEveryTest(work: Work): void {
  works.push(work);
}

/** Runs all registered work, also after a failure, and reports the first failure. */
export async function runAfterTest(): Promise<void> {
  const failures: unknown[] = [];

  for (const work of works) {
    try {
      await work();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
