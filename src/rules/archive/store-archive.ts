/** The months whose orders the host keeps in files. Absent where none were moved out. */
export interface StoreArchive {
  /** The months of which orders were moved out, such as `2019-03`. */
  readonly live: readonly string[];
  readonly test: readonly string[];
  /** The call that is at work on the files. Null means that none is. */
  readonly lease: { readonly token: string; readonly until: number } | null;
}
