import type { EndpointSecret } from "./webhook-records.ts";

export interface Rotation {
  readonly sealed: string;
  /** The time until which the replaced secret stays valid, in epoch milliseconds. */
  readonly old_until: number;
  /** The most secrets that are kept. */
  readonly max: number;
  readonly now: number;
}

/**
 * Gives the secrets after a rotation, newest first, without those that have
 * expired. When there are more than `max`, the oldest are dropped.
 */
export function rotated(
  secrets: readonly EndpointSecret[],
  { sealed, old_until, max, now }: Rotation,
): readonly EndpointSecret[] {
  // The rotation is repeated because its first answer was lost.
  if (secrets.some((secret) => secret.sealed === sealed)) return secrets;

  const old = secrets
    .map((secret) => ({
      ...secret,
      expires_at: Math.min(secret.expires_at ?? old_until, old_until),
    }))
    .filter(({ expires_at }) => expires_at > now);

  return [{ sealed, expires_at: null }, ...old].slice(0, max);
}
