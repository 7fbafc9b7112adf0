const redacted = "[redacted]";

/**
 * Hides the value of `key` in a target, and everything in it that looks like a key
 * or a secret of ours.
 */
export function redact(target: string): string {
  const mark = target.indexOf("?");
  const shown =
    mark < 0 ? target : `${target.slice(0, mark)}?${redactQuery(target.slice(mark + 1))}`;
  return shown.replace(/(hk_(live|test)_|whsec_)[0-9A-Za-z_%]*/gi, redacted);
}

const redactQuery = (query: string): string =>
  query
    .split("&")
    .map((pair) => {
      const name = pair.split("=", 1)[0] ?? "";
      return isKey(name) ? `${name}=${redacted}` : pair;
    })
    .join("&");

/**
 * Says whether a name is `key`. It may be written with escapes. A name that cannot
 * be decoded counts as `key`.
 */
function isKey(name: string): boolean {
  try {
    return decodeURIComponent(name.replaceAll("+", " ")).trim().toLowerCase() === "key";
  } catch {
    return true;
  }
}
