import { join } from "node:path";

/** @type {import("next").NextConfig} */
export default {
  serverExternalPackages: ["better-sqlite3"], // native code stays out of the bundle
  turbopack: { root: join(import.meta.dirname, "../..") }, // this folder stands in the library's repository; your app needs no such line
};
