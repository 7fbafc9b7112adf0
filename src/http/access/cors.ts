const exposedHeaders = [
  "ETag",
  "Retry-After",
  "RateLimit",
  "RateLimit-Policy",
  "X-Request-Id",
  "Original-Request-Id",
  "Idempotent-Replayed",
  "Deprecation",
  "Sunset",
  "Link",
  "X-Test-Clock",
].join(", ");

/** Makes the headers that let a page of this origin read an answer. */
export const corsHeaders = (origin: string): Record<string, string> => ({
  "access-control-allow-origin": origin,
  "access-control-expose-headers": exposedHeaders,
});
