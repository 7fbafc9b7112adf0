/** Refuses an option that nothing reads, without the table of the API's errors: it weighs 2 KB. */
export function refuseUnknownNames(given: object, names: readonly string[], parent = ""): void {
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && !names.includes(name))
      throw new TypeError(
        `Option ${parent}${name} is not known: the options here are ${names.join(", ")}.`,
      );
}
