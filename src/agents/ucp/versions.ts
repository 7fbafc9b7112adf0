/** What a version of the Universal Commerce Protocol has otherwise than the others. */
interface VersionFacts {
  /** The folder of the texts of shopping. Empty where they lie in none. */
  readonly folder: string;
  /** The member of a profile that holds the keys of its signatures. */
  readonly keys: "keys" | "signing_keys";
  /** The member of a variant of the catalog that tells its options. */
  readonly options: "options" | "selected_options";
}

/** The versions that are spoken, the newest first. */
export const ucpVersions = {
  "2026-08-25": { folder: "shopping/", keys: "keys", options: "options" },
  "2026-04-08": { folder: "", keys: "signing_keys", options: "selected_options" },
} as const satisfies Readonly<Record<string, VersionFacts>>;

export type UcpVersion = keyof typeof ucpVersions;

export const supportedVersions = Object.keys(ucpVersions) as readonly UcpVersion[];

/** The version of the profile, and of an agent that names none. */
export const newestVersion = "2026-08-25" satisfies UcpVersion;

/** Each version but the newest has an address of its own below the endpoint. */
export const olderVersions = supportedVersions.filter((version) => version !== newestVersion);

export const isSpoken = (version: string): version is UcpVersion =>
  Object.hasOwn(ucpVersions, version);

/** Gives the address of the endpoint for agents of a version. */
export const endpointFor = (endpoint: string, version: UcpVersion): string =>
  version === newestVersion ? endpoint : `${endpoint}/${version}`;

/** Tells the version that an address of `endpointFor` stands for. */
export const versionOfEndpoint = (endpoint: string): UcpVersion =>
  olderVersions.find((version) => endpoint.endsWith(`/${version}`)) ?? newestVersion;

/** The path of the store's profile in the newest version. */
export const profilePath = "/.well-known/ucp";

/** Gives the address of the store's profile in the version of an endpoint's address. */
export const profileAddress = (endpoint: string): string =>
  versionOfEndpoint(endpoint) === newestVersion
    ? `${new URL(endpoint).origin}${profilePath}`
    : endpoint;

/** Splits a path below the endpoint: `/2026-04-08/carts` is `/carts` in that version. */
export function splitVersion(path: string): {
  readonly version: UcpVersion;
  readonly rest: string;
} {
  for (const version of olderVersions) {
    const start = `/${version}`;
    if (path === start || path.startsWith(`${start}/`))
      return { version, rest: path.slice(start.length) };
  }
  return { version: newestVersion, rest: path };
}
