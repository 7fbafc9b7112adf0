import { parseUrl } from "../../domain/parse-url.ts";
import { ProtocolFault, versionFault } from "./replies.ts";
import { isSpoken, type UcpVersion } from "./versions.ts";

/** Who calls: the address of the agent's profile, as the header `UCP-Agent` gives it. */
export interface Agent {
  readonly profile: string;
  /** The version that the header names, where it names one. */
  readonly version?: UcpVersion;
}

/** A member, or a parameter of one, whose value is text (RFC 8941). */
const named = /(?:^|[;,])\s*(profile|version)\s*=\s*"((?:[^"\\]|\\["\\])*)"/g;

/** A profile is kept as metadata of a session, which has texts of this length at most. */
const maxProfileLength = 500;

/**
 * Reads the header `UCP-Agent`. Where it names a version, that must be one of ours. Throws the
 * protocol's faults.
 */
export function readAgent(header: string | undefined): Agent {
  const parts = new Map(
    [...(header ?? "").matchAll(named)].map(([, name, value = ""]) => [
      name,
      value.replace(/\\(.)/g, "$1"),
    ]),
  );
  const profile = parts.get("profile") ?? "";
  if (!/^https?:\/\/[^\s]+$/i.test(profile) || !parseUrl(profile))
    throw new ProtocolFault(
      400,
      "invalid_profile_url",
      'Send the header UCP-Agent: profile="https://…" with the address of your profile.',
    );
  if (profile.length > maxProfileLength)
    throw new ProtocolFault(
      400,
      "invalid_profile_url",
      `The address of the profile must have at most ${maxProfileLength} characters.`,
    );

  const version = parts.get("version");
  if (version === undefined) return { profile };
  if (!isSpoken(version)) throw versionFault(version);
  return { profile, version };
}
