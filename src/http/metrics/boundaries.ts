/** OpenTelemetry's conventions for HTTP name these boundaries, in seconds. */
export const boundariesOfRequests: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
];

/**
 * The boundaries in seconds. They are few, because each call of the storage has a series of its
 * own.
 */
export const boundariesOfStorage: readonly number[] = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5];
