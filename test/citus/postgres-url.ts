export const connectionString = process.env["TEST_CITUS_URL"] ?? "";
if (connectionString === "")
  throw new Error("These tests need the URL of a Citus coordinator in TEST_CITUS_URL.");

/** Where the suites run on the cluster, a host's own transactions are on it too. */
export const postgresUrl = async (): Promise<string> => connectionString;

/** The coordinator has no socket file for the tests. */
export const postgresSocketUrl = (): Promise<string> => postgresUrl();
