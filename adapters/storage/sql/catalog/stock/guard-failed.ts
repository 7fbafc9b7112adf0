/**
 * The condition of a guarded update no longer held, although the work had judged
 * that it does: the work is rolled back and tried again.
 */
export class GuardFailed extends Error {
  readonly code = "VITRINE_GUARD";
}
