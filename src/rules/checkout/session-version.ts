import type { SessionRecord } from "../records.ts";

/** Gives the version of a session: 1, and one more with each change. */
export const versionOf = ({ version = 1 }: Pick<SessionRecord, "version">): number => version;
