/** A text as it is kept where its letters are signed: composed (NFC), lines that end with LF, nothing blank around it. */
export function normalizeText(text: string): string {
  return text.normalize('NFC').replace(/\r\n?/g, '\n').trim()
}

/** The same where there may be none, which is what a blank one is. */
export function normalizeTextOrNull(text: string | null | undefined): string | null {
  return normalizeText(text ?? '') || null
}
