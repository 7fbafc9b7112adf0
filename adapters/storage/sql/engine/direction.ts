/** The direction in which a list walks its index, and the sign between a row and the one before. */
interface Direction {
  readonly way: "asc" | "desc";
  readonly sign: ">" | "<";
}

export const directionOf = (isAscending: boolean | undefined): Direction =>
  isAscending ? { way: "asc", sign: ">" } : { way: "desc", sign: "<" };
