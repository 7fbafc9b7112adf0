import type { SqlEngine } from "../engine/engine.ts";
import type { FollowingWrites, InsertEvents } from "./event-statements.ts";
import { insertEventsOnPostgres } from "./events.postgres.ts";
import { insertEventsOnSqlite } from "./events.sqlite.ts";

const algorithms = { postgres: insertEventsOnPostgres, sqlite: insertEventsOnSqlite } as const;

/** Makes the step that writes events with their deliveries, and what follows them. */
export const insertEventsStep = (engine: SqlEngine, following: FollowingWrites): InsertEvents =>
  algorithms[engine.dialect.name](engine, following);
