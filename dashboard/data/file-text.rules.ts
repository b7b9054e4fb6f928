/** A file as a text, or why it is none. */
export type FileText = { kind: 'text'; text: string } | { kind: 'binary' }

/** Larger files are offered as a download instead. */
export const mostTextBytes = 1_048_576

/** The text of these bytes. */
export function textOf(bytes: Uint8Array): FileText {
  if (bytes.includes(0)) return { kind: 'binary' }
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { kind: 'binary' }
  }
}
