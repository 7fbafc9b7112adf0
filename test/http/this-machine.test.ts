import { expect, test } from "vitest";
import { createStorefront, memoryStorage, type StorefrontOptions } from "vitrine";
import { createDashboard } from "vitrine/dashboard";

const base: StorefrontOptions = {
  storage: memoryStorage(),
  checkout: { baseUrl: "https://pay.example.com" },
  docsUrl: "https://docs.example.com/errors",
  sealKey: new Uint8Array(32).fill(1),
};
const provider = { issuer: "https://id.example.com", audience: "shop", mapClaims: () => null };

/** The options that take plain http from this machine alone. */
const starts: Readonly<Record<string, (origin: string) => unknown>> = {
  "publicUrl of the dashboard": (origin) =>
    createDashboard(createStorefront(base), {
      path: "/dashboard",
      publicUrl: origin,
      authorize: () => null,
    }),
  "checkout.baseUrl": (origin) => createStorefront({ ...base, checkout: { baseUrl: origin } }),
  "customerTokens.jwksUrl": (origin) =>
    createStorefront({ ...base, customerTokens: { ...provider, jwksUrl: `${origin}/jwks` } }),
};

test.each(Object.entries(starts))("%s takes http from this machine alone", (_name, start) => {
  for (const host of ["localhost:3000", "LOCALHOST", "127.0.0.1:3000", "[::1]:3000", "[::1]"])
    expect(() => start(`http://${host}`), host).not.toThrow();
  for (const host of ["example.com", "localhost.example.com", "127.0.0.2", "[::2]", "192.168.0.1"])
    expect(() => start(`http://${host}`), host).toThrow();
  expect(() => start("https://example.com")).not.toThrow();
});
