import type { Language } from '#platform/language.ts'
import { sha256 } from '../signatures/canonical/digest.ts'

/** The consent texts. A published text never changes and is never removed: add a new version instead. */
export const consentTexts: Record<Language, string> = {
  es: 'He leído el presupuesto y lo acepto. Sé que con mi nombre y esta confirmación lo firmo electrónicamente (firma electrónica simple), y que se guardan la fecha, mi dirección IP y mi navegador como prueba.',
  en: 'I have read the budget and accept it. I know that with my name and this confirmation I sign it electronically (simple electronic signature), and that the date, my IP address and my browser are kept as evidence.',
}

/** SHA-256 of the consent text in a language. */
export function consentHash(language: Language): string {
  return sha256(consentTexts[language])
}

/** The language of the consent text with this SHA-256; undefined for an unknown one. */
export function consentLanguage(hash: string | null): Language | undefined {
  return (Object.keys(consentTexts) as Language[]).find(language => consentHash(language) === hash)
}

/** The consent text with this SHA-256; undefined for an unknown one. */
export function consentTextOf(hash: string | null): string | undefined {
  return Object.values(consentTexts).find(text => sha256(text) === hash)
}
