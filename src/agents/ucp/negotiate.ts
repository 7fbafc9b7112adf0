import { z } from "zod";
import {
  type Active,
  type CapabilityName,
  capabilities,
  supportedVersions,
  ucpVersion,
} from "./profile.ts";
import { BusinessFault, ProtocolFault, versionFault } from "./replies.ts";

const PlatformProfile = z.object({
  ucp: z.object({
    version: z.string(),
    capabilities: z.record(z.string(), z.array(z.object({ version: z.string() }))).optional(),
  }),
});
type PlatformProfile = z.output<typeof PlatformProfile>;

/** How long a profile, or the failure to get one, is kept, and how many of them. */
const kept = { profileMs: 300_000, failureMs: 30_000, most: 200 };

/** Reads profiles of agents, each once in a while however many requests name it. */
export function profileReader(
  fetchProfile: (url: string) => Promise<unknown>,
  now: () => number,
): (url: string) => Promise<PlatformProfile> {
  const cache = new Map<string, { until: number; readonly profile: Promise<PlatformProfile> }>();

  return (url) => {
    const known = cache.get(url);
    if (known && known.until > now()) return known.profile;

    const entry = { until: now() + kept.profileMs, profile: readProfile(fetchProfile, url) };
    entry.profile.catch(() => {
      entry.until = now() + kept.failureMs;
    });
    cache.delete(url);
    cache.set(url, entry);
    const [oldest] = cache.keys();
    if (cache.size > kept.most && oldest !== undefined) cache.delete(oldest);
    return entry.profile;
  };
}

async function readProfile(
  fetchProfile: (url: string) => Promise<unknown>,
  url: string,
): Promise<PlatformProfile> {
  if (!url.startsWith("https://"))
    throw new ProtocolFault(400, "invalid_profile_url", "The profile must be served over HTTPS.");

  let document: unknown;
  try {
    document = await fetchProfile(url);
  } catch {
    throw new ProtocolFault(424, "profile_unreachable", "The profile could not be fetched.");
  }
  const read = PlatformProfile.safeParse(document);
  if (!read.success)
    throw new ProtocolFault(422, "profile_malformed", "The profile is not one of this protocol.");
  return read.data;
}

/** Finds the capabilities of both sides. Throws when they do not have the one that is needed. */
export function negotiate({ ucp }: PlatformProfile, needed: CapabilityName | null): Active {
  if (!supportedVersions.includes(ucp.version)) throw versionFault();

  const theirs = ucp.capabilities ?? {};
  const isShared = (name: string): boolean =>
    Object.hasOwn(theirs, name) &&
    (theirs[name] ?? []).some(({ version }) => version === ucpVersion);
  const shared = (Object.keys(capabilities) as CapabilityName[]).filter(isShared);

  if (needed !== null && !shared.includes(needed))
    throw new BusinessFault({
      type: "error",
      code: "capabilities_incompatible",
      content: `The agent's profile does not have ${needed} of ${ucpVersion}.`,
      severity: "unrecoverable",
    });
  return new Set(shared);
}
