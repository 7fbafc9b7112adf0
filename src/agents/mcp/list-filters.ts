import type { z } from "zod";

/** What every list tool takes by fields of its own. */
const own = ["store_id", "livemode", "limit", "starting_after"] as const;
type Own = (typeof own)[number];

type Given<Field> = Field extends z.ZodType ? NonNullable<z.input<Field>> : never;

/** The filters of a tool, by the fields of the owner's query. */
export type Filters<Shape, Instead> = {
  readonly [Name in Exclude<keyof Shape, Own>]: z.ZodOptional<
    Name extends keyof Instead
      ? Instead[Name] extends z.ZodType
        ? Instead[Name]
        : never
      : z.ZodType<Given<Shape[Name]>, Given<Shape[Name]>>
  >;
};

/**
 * Makes the filters of a list tool from the query of the owner's call, `sort` included: what the
 * call takes later, the tool takes too. `instead` has the fields that JSON Schema cannot tell, or
 * that need words.
 */
export function filtersOf<
  Shape extends z.core.$ZodLooseShape,
  Instead extends { readonly [Name in keyof Shape]?: z.ZodType },
>({ shape }: { readonly shape: Shape }, instead: Instead): Filters<Shape, Instead> {
  const names = Object.keys(shape).filter((name) => !own.some((each) => each === name));
  const fields = names.map((name) => {
    const field: z.ZodType = instead[name] ?? withoutNull(shape[name]);
    return [name, field.optional()];
  });
  // Object.fromEntries forgets the names; they are those of the shape.
  return Object.fromEntries(fields) as Filters<Shape, Instead>;
}

/** Gives what a field takes when it is given: an assistant leaves a field out instead of null. */
function withoutNull(field: unknown): z.ZodType {
  let inner = field as z.ZodType;
  while (inner.type === "optional" || inner.type === "nullable")
    inner = (inner as z.ZodOptional<z.ZodType> | z.ZodNullable<z.ZodType>).unwrap();
  return inner;
}
