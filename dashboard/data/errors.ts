import { errors } from '#contract/errors.ts'
import { CallError } from '#sdk/client.ts'
import { errorTextsEs } from '../words/errors.es.ts'
import type { Language } from '../words/words.ts'

/**
 * Tells a person the meaning of an error and the next step. The text of the server wins in English where it says
 * more than the code, for instance which limit was reached.
 */
export function textOfError(error: unknown, language: Language): string {
  if (!(error instanceof CallError)) return offline[language]
  const code = error.body.errorCode ?? byStatus[error.status]
  const spanish = (errorTextsEs as Readonly<Record<string, string>>)[code ?? '']
  if (language === 'es' && spanish) return spanish
  return (
    error.body.message ??
    (errors as Readonly<Record<string, { text: string }>>)[code ?? '']?.text ??
    unknown[language]
  )
}

const byStatus: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  404: 'NOT_FOUND',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}
const offline: Readonly<Record<Language, string>> = {
  es: 'No hay conexión con el servidor. Comprueba la red; lo que has escrito se conserva.',
  en: 'The server cannot be reached. Check your network; what you typed is kept.',
}
const unknown: Readonly<Record<Language, string>> = {
  es: 'Algo ha fallado. Inténtalo otra vez.',
  en: 'Something went wrong. Try again.',
}
