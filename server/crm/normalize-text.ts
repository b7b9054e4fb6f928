/** The stored form of a text that a fingerprint covers: NFC, LF line endings, trimmed. */
export function normalizeText(text: string): string {
  return text.normalize('NFC').replace(/\r\n?/g, '\n').trim()
}

/** The same; null for a missing or blank text. */
export function normalizeTextOrNull(text: string | null | undefined): string | null {
  return normalizeText(text ?? '') || null
}
