import { deliveredFile, pictureUrl } from "../../input/fields.ts";
import { invalidOption } from "../../input/option-error.ts";
import { type PictureType, pictureTypeOf } from "./picture-type.ts";

/** A picture that someone has chosen in a form of the dashboard. */
export interface DashboardUpload {
  readonly store_id: string;
  /** The name of the file as the browser told it, without a path. Do not use it as a path. */
  readonly name: string;
  /** The first bytes of the picture show this type. The browser's own word is not used. */
  readonly type: PictureType;
  /** The picture has at most 5 MiB. */
  readonly body: Uint8Array;
  /** `authorize` gives this name to the person who has sent the picture. */
  readonly actor: string;
}

/** A file that a product delivers, which someone has chosen in its form. */
export interface DashboardFile {
  readonly store_id: string;
  /** The name of the file as the browser told it, without a path. Do not use it as a path. */
  readonly name: string;
  /** The media type as the browser told it, which may be wrong. Empty where it told none. */
  readonly type: string;
  /** The file has at most 30 MiB. */
  readonly body: Uint8Array;
  /** `authorize` gives this name to the person who has sent the file. */
  readonly actor: string;
}

/** The host's own store for pictures of products, and for the files that products deliver. */
export interface DashboardUploads {
  /**
   * Stores a picture, and gives the address at which buyers see it. When it throws, the
   * form says that the picture could not be stored, and `onError` hears of it.
   */
  put(upload: DashboardUpload): { readonly url: string } | Promise<{ readonly url: string }>;
  /**
   * Stores a file that only buyers may have, and gives your own name of it: the customer page asks
   * `customerPage.uploads.open` for that name. Without it the form takes the name alone. When it
   * throws, the form says that the file could not be stored, and `onError` hears of it.
   */
  putFile?(upload: DashboardFile): { readonly file: string } | Promise<{ readonly file: string }>;
}

/** The names of the fields that take a file. */
export const pictureField = "upload";
export const deliveredField = "delivery.upload";

export const maxPictureBytes = 5 * 1_048_576;
export const maxDeliveredBytes = 30 * 1_048_576;

/**
 * Gives how many bytes a form with files may have, which is more than its files may have. A larger
 * file then gets its fault beside the field, and nothing that was typed is lost.
 */
export function maxUploadBytes(uploads: DashboardUploads | null): number {
  if (uploads === null) return 0;
  return (uploads.putFile ? 48 : 16) * 1_048_576;
}

/** A chosen file may have these faults. */
export type UploadFault =
  | "fault_picture_type"
  | "fault_picture_large"
  | "fault_picture_failed"
  | "fault_file_large"
  | "fault_file_failed";

interface Sender {
  readonly store_id: string;
  readonly actor: string;
  onError(error: unknown, where: string): void;
}

/** Checks a chosen file and hands it to the host. */
export async function storePicture(
  uploads: DashboardUploads,
  file: File,
  { onError, ...sender }: Sender,
): Promise<{ readonly url: string } | { readonly fault: UploadFault }> {
  if (file.size > maxPictureBytes) return { fault: "fault_picture_large" };
  const body = new Uint8Array(await file.arrayBuffer());
  const type = pictureTypeOf(body);
  if (type === null) return { fault: "fault_picture_type" };

  try {
    const name = plainName(file.name) ?? "picture";
    const stored = await uploads.put({ ...sender, name, type, body });
    const url = pictureUrl.safeParse(stored?.url);
    if (url.success) return { url: url.data };
    invalidOption("uploads.put", "must return { url }, which a product takes as a picture");
  } catch (error) {
    onError(error, "uploads.put");
    return { fault: "fault_picture_failed" };
  }
}

/** The host's own name of a stored file, and the name that buyers see. */
export interface StoredFile {
  readonly file: string;
  readonly name: string;
}

/** Hands a file that a product delivers to the host. */
export async function storeDelivered(
  putFile: NonNullable<DashboardUploads["putFile"]>,
  chosen: File,
  { onError, ...sender }: Sender,
): Promise<StoredFile | { readonly fault: UploadFault }> {
  if (chosen.size > maxDeliveredBytes) return { fault: "fault_file_large" };
  const body = new Uint8Array(await chosen.arrayBuffer());
  const name = plainName(chosen.name) ?? "file";

  try {
    const stored = await putFile({ ...sender, name, type: chosen.type, body });
    const file = deliveredFile.safeParse(stored?.file);
    if (file.success) return { file: file.data, name };
    invalidOption("uploads.putFile", "must return { file }, which a product takes as its file");
  } catch (error) {
    onError(error, "uploads.putFile");
    return { fault: "fault_file_failed" };
  }
}

/**
 * Gives the last part of a name without control characters. Old browsers send whole paths. Gives
 * null for a name of dots alone, which names a folder.
 */
function plainName(name: string): string | null {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const plain = last.replace(/\p{C}/gu, "").slice(-200);
  return /^[.\s]*$/.test(plain) ? null : plain;
}
