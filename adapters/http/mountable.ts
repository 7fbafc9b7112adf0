/**
 * Throws a TypeError when the host starts, not at its first request, for what an
 * adapter cannot mount. `method` is what the adapter calls.
 */
export function requireMountable(
  mounted: object,
  method: "serve" | "handler",
  adapter: string,
): void {
  if (typeof Reflect.get(Object(mounted), method) === "function") return;

  throw new TypeError(
    `${adapter} takes what createStorefront or createDashboard returned. ` +
      "Is it a promise without await, or a module that has not run yet?",
  );
}
