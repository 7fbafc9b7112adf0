/** A name is cut to this length, because a stranger may choose it. */
const maxName = 64;

/**
 * Names the way by which an agent's checkout comes: the protocol, and who the agent says that it
 * is. The name is folded to small letters, digits, dots and hyphens. It is left out when nothing of
 * it remains.
 */
export function channelOf(protocol: "acp" | "mcp" | "ucp", agent = ""): string {
  const name = agent
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, maxName);
  return name === "" ? protocol : `${protocol}:${name}`;
}
