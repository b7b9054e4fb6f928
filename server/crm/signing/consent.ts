import type { Language } from '#platform/language.ts'
import { sha256 } from '../signatures/canonical/digest.ts'

/** What a signer agrees to, beside the budget itself. A text that was shown once never changes and stays here: it gets a successor. */
export const consentTexts: Record<Language, string> = {
  es: 'He leído el presupuesto y lo acepto. Sé que con mi nombre y esta confirmación lo firmo electrónicamente (firma electrónica simple), y que se guardan la fecha, mi dirección IP y mi navegador como prueba.',
  en: 'I have read the budget and accept it. I know that with my name and this confirmation I sign it electronically (simple electronic signature), and that the date, my IP address and my browser are kept as evidence.',
}

/** SHA-256 of the text that was agreed to. */
export function consentHash(language: Language): string {
  return sha256(consentTexts[language])
}

/** The text that was agreed to, by its SHA-256; undefined when it was none of ours. */
export function consentTextOf(hash: string | null): string | undefined {
  return Object.values(consentTexts).find(text => sha256(text) === hash)
}
