import { limits } from '#contract/limits.ts'

const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** Whether a browser may show a file of this type. SVG is not an image here, because it can contain scripts. */
export function isImage(contentType: string): boolean {
  return imageTypes.includes(contentType)
}

/**
 * The name under which a file is stored: the last part of the path that the browser sent, in NFC, with `_` for
 * characters that no name should have. Undefined for a name without any other characters, or longer than
 * limits.chatFileNameBytes.
 */
export function normalizeFilename(path: string): string | undefined {
  const name = path
    .slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\ufffd\u202a-\u202e\u2066-\u2069]/gu, '_')
    .trim()
  const isTooLong = Buffer.byteLength(name) > limits.chatFileNameBytes
  return isTooLong || /^[._]*$/.test(name) ? undefined : name
}

type FileAddress = { organization: string; fileId: string; person: string; expires: number }

/** The signed text of an address. `expires` is in seconds since 1970. */
export function sealedText({ organization, fileId, person, expires }: FileAddress): string {
  return JSON.stringify([organization, fileId, person, expires])
}
/** The purpose names the format of that text; a new format needs a new name. */
export const sealPurpose = 'chat file address 1'
