// Locks a SQLite file for some milliseconds, and tells its parent once it has: `file milliseconds`.
import { setTimeout as pause } from "node:timers/promises";
import { openSqlite } from "../support/open-sqlite.ts";

const [file = "", milliseconds = ""] = process.argv.slice(2);
const database = openSqlite(file);
database.exec("create table host (a)");
database.exec("begin exclusive");
process.send?.("locked");

await pause(Number(milliseconds));
database.exec("commit");
database.close();
