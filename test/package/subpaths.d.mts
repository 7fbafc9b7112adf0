export const subpaths: Readonly<
  Record<string, { readonly budget: number; readonly forbidden: readonly RegExp[] }>
>;
export const external: string[];
