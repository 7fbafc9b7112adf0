import type { EndpointSecret } from "./webhook-records.ts";

export interface Rotation {
  readonly sealed: string;
  readonly old_until: number;
  readonly max: number;
  readonly now: number;
}

/** Newest first, the dead ones gone, at most `max`: of more the oldest give way. */
export function rotated(
  secrets: readonly EndpointSecret[],
  { sealed, old_until, max, now }: Rotation,
): readonly EndpointSecret[] {
  if (secrets.some((secret) => secret.sealed === sealed)) return secrets; // the answer of the first time was lost
  const old = secrets
    .map((secret) => ({
      ...secret,
      expires_at: Math.min(secret.expires_at ?? old_until, old_until),
    }))
    .filter((secret) => secret.expires_at > now);
  return [{ sealed, expires_at: null }, ...old].slice(0, max);
}
