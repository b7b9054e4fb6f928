import type { listConsentTexts } from '#contract/billing/consent.ts'
import type { Reply } from '#contract/route.ts'
import { type Language, locales } from '../../words/words.ts'

/** A version of a consent text, as the list has it. */
export type ConsentText = Reply<typeof listConsentTexts>['items'][number]
type Version = Pick<ConsentText, 'locale' | 'version'>

/** Names a version in the address. */
export function keyOf({ locale, version }: Version): string {
  return `${locale}-v${version}`
}

/** The versions that hold now: the newest of each locale. */
export function currentKeys(versions: readonly Version[]): ReadonlySet<string> {
  const newest = new Map<string, Version>()
  for (const one of versions)
    if (one.version > (newest.get(one.locale)?.version ?? 0)) newest.set(one.locale, one)
  return new Set([...newest.values()].map(keyOf))
}

/** The name of a locale in the language of the person; what is no locale stays as it is. */
export function languageName(locale: string, language: Language): string {
  try {
    return new Intl.DisplayNames(locales[language], { type: 'language' }).of(locale) ?? locale
  } catch {
    return locale
  }
}
