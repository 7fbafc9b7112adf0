interface Subpath {
  /** The key in package.json's `exports`, such as `./webhooks/express`. */
  readonly path: string;
  /** The name that users import, such as `vitrine/webhooks/express`. */
  readonly name: string;
  /** The name of the built file without folder and extension, such as `webhooks-express`. */
  readonly entry: string;
  /** The built file, such as `./dist/webhooks-express.js`. */
  readonly built: string;
  /** The source file, such as `adapters/webhooks/express.ts`. */
  readonly source: string;
  /** The largest size in bytes, minified and gzipped. */
  readonly budget: number;
  readonly forbidden: readonly RegExp[];
}

export const subpaths: readonly Subpath[];
export const standalone: readonly string[];
export const connected: readonly string[];
export const program: Omit<Subpath, "name"> & { readonly banner: string };
export const external: readonly string[];
