import { z } from "zod";
import { isRecord } from "../shared/json.ts";
import { type Agreed, type CapabilityName, capabilities, orderCapability } from "./profile.ts";
import { BusinessFault, ProtocolFault, versionFault } from "./replies.ts";
import { isSpoken, type UcpVersion, ucpVersions } from "./versions.ts";

const PlatformProfile = z.object({
  ucp: z.object({
    version: z.string(),
    capabilities: z
      .record(
        z.string(),
        z.array(z.object({ version: z.string(), config: z.unknown().optional() })),
      )
      .optional(),
  }),
  keys: z.array(z.unknown()).optional(),
  signing_keys: z.array(z.unknown()).optional(),
});
export type PlatformProfile = z.output<typeof PlatformProfile>;

/** Reads the profile of an agent. Throws the protocol's faults. */
export async function readProfile(
  fetchProfile: (url: string) => unknown,
  url: string,
): Promise<PlatformProfile> {
  const read = PlatformProfile.safeParse(await askProfile(fetchProfile, url));
  if (!read.success)
    throw new ProtocolFault(422, "profile_malformed", "The profile is not a profile of UCP.");
  return read.data;
}

/** Asks the host for something that the address of an agent's profile leads to. */
export async function askProfile(ask: (url: string) => unknown, url: string): Promise<unknown> {
  if (!url.startsWith("https://"))
    throw new ProtocolFault(400, "invalid_profile_url", "The profile must be served over HTTPS.");

  try {
    return await ask(url);
  } catch {
    throw new ProtocolFault(424, "profile_unreachable", "The profile could not be fetched.");
  }
}

/** Finds where an agent wants its orders told. Null stands for an agent that wants none. */
export function webhookUrlOf({ ucp }: PlatformProfile): string | null {
  for (const { config } of ucp.capabilities?.[orderCapability] ?? []) {
    const url = isRecord(config) ? config["webhook_url"] : undefined;
    if (typeof url === "string") return url;
  }
  return null;
}

/** Gives the version of an agent's profile. Throws for one that is not spoken here. */
export function versionOf({ ucp: { version } }: PlatformProfile): UcpVersion {
  if (isSpoken(version)) return version;
  throw versionFault(version);
}

/** Finds the keys of an agent's signatures where the version of its profile has them. */
export const keysIn = (profile: PlatformProfile): readonly unknown[] | undefined => {
  const { version } = profile.ucp;
  return profile[isSpoken(version) ? ucpVersions[version].keys : "keys"];
};

/** Finds the capabilities of both sides. Throws when they do not have the one that is needed. */
export function negotiate(profile: PlatformProfile, needed: CapabilityName | null): Agreed {
  const { ucp } = profile;
  const agreed = versionOf(profile);

  const theirs = ucp.capabilities ?? {};
  const isShared = (name: string): boolean =>
    Object.hasOwn(theirs, name) && (theirs[name] ?? []).some(({ version }) => version === agreed);
  const shared = (Object.keys(capabilities) as CapabilityName[]).filter(isShared);

  if (needed !== null && !shared.includes(needed))
    throw new BusinessFault({
      type: "error",
      code: "capabilities_incompatible",
      content: `The agent's profile does not have ${needed} of ${agreed}.`,
      severity: "unrecoverable",
    });
  return { version: agreed, active: new Set(shared) };
}
