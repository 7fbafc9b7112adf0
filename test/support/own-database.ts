import pg from "pg";
import { postgresUrl } from "./postgres-url.ts";

/** A database that no other test has a transaction in. */
export interface OwnDatabase {
  readonly url: string;
  /** Drops the database, also from under connections that are still open. */
  readonly drop: () => Promise<void>;
}

/**
 * Makes a database on the run's PostgreSQL. An open transaction of another test keeps the dead
 * rows of the whole database from `vacuum`, so what counts pages or vacuums needs its own.
 */
export async function ownDatabase(name: string): Promise<OwnDatabase> {
  const url = new URL(await postgresUrl());
  const run = async (text: string): Promise<void> => {
    const admin = new pg.Client(url.href);
    await admin.connect();
    await admin.query(text).finally(() => admin.end());
  };
  await run(`create database ${name}`);

  const own = new URL(url);
  own.pathname = name;
  return { url: own.href, drop: () => run(`drop database ${name} with (force)`) };
}
