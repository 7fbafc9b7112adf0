/**
 * How long `vi.waitFor` waits for what comes soon, in milliseconds. Its own second is too short on
 * a busy machine. `expect.poll` waits as long, by vitest.config.ts.
 */
export const patience = 15_000;
