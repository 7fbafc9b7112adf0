import { join } from "node:path";

/** @type {import("next").NextConfig} */
export default {
  serverExternalPackages: ["better-sqlite3"], // Native code stays out of the bundle.
  // This folder stands in the library's repository; your app needs no such line.
  turbopack: { root: join(import.meta.dirname, "../..") },
};
