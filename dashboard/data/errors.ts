import { CallError } from '#sdk/client.ts'
import { signInErrorTextsEn } from '../words/errors.en.ts'
import type { Language } from '../words/words.ts'
import { queryClient } from './query-client.ts'

let spanishTexts: Readonly<Record<string, string>> = {}

/** Loads the texts of the error codes for a language when the page is calm, long before the first error as a rule. */
export async function loadErrorTexts(language: Language): Promise<void> {
  for (let calmSeconds = 0; calmSeconds < 2; ) {
    await new Promise(resolve => setTimeout(resolve, 1_000))
    calmSeconds = queryClient.isFetching() > 0 ? 0 : calmSeconds + 1
  }
  await needErrorTexts(language)
}

/** Loads them at once, for an error that comes early. */
export async function needErrorTexts(language: Language): Promise<void> {
  if (language !== 'es') return
  try {
    spanishTexts = (await import('../words/errors.es.ts')).errorTextsEs
  } catch {
    // the server's own text is shown
  }
}

/**
 * Tells a person the meaning of an error and the next step. In English, the server's text is shown, because it
 * says more than the code, for instance which limit was reached.
 */
export function textOfError(error: unknown, language: Language): string {
  if (!(error instanceof CallError)) return offline[language]
  const code = error.body.errorCode ?? byStatus[error.status] ?? ''
  const own = (language === 'es' ? spanishTexts : signInErrorTextsEn)[code]
  return own ?? error.body.message ?? unknown[language]
}

/** The code of a refused call; undefined for anything else. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof CallError ? error.body.errorCode : undefined
}

/** The status of a refused call; undefined if no answer arrived. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof CallError ? error.status : undefined
}

/** A figure that a refusal tells beside its code, such as `refundableCents`; undefined without one. */
export function figureOf(error: unknown, name: string): number | undefined {
  const value = error instanceof CallError ? error.body[name] : undefined
  return typeof value === 'number' ? value : undefined
}

/** The details of a refusal as the server sent them; undefined without any. */
export function detailsOf(error: unknown): unknown {
  return error instanceof CallError ? error.body.details : undefined
}

/** The fields that a refusal names in its details, such as `taxId`. */
export function fieldsOf(error: unknown): string[] {
  const details = error instanceof CallError ? (error.body.details ?? []) : []
  return (details as { path?: string }[]).flatMap(({ path }) => (path === undefined ? [] : [path]))
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
