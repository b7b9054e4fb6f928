import type { Letterhead } from '#contract/crm/letterhead.ts'

/** The fields of a letterhead; its logo is changed apart. */
export type LetterheadFields = Omit<Letterhead, 'logo'>
/** The texts in the form of a letterhead. */
export type LetterheadTexts = Record<keyof LetterheadFields, string>

const names = ['accentColor', 'accountHolder', 'iban', 'bic', 'footer'] as const

/** `ES9121000418450200051332` is `ES91 2100 0418 4502 0005 1332`, in capital letters. */
export function ibanInGroups(iban: string): string {
  return iban
    .replace(/\s/g, '')
    .toUpperCase()
    .replace(/.{4}(?=.)/g, '$& ')
}

/** The texts in the form for a letterhead. */
export function textsOf(letterhead: LetterheadFields): LetterheadTexts {
  const { accentColor, accountHolder, iban, bic, footer } = letterhead
  return {
    accentColor: accentColor ?? '',
    accountHolder: accountHolder ?? '',
    iban: ibanInGroups(iban ?? ''),
    bic: bic ?? '',
    footer: footer ?? '',
  }
}

/** The letterhead that the texts mean. */
export function fieldsOf(texts: LetterheadTexts): LetterheadFields {
  const color = texts.accentColor.trim().toLowerCase()
  return {
    accentColor: color === '' ? null : `#${color.replace('#', '')}`,
    accountHolder: texts.accountHolder.trim() || null,
    iban: ibanInGroups(texts.iban) || null,
    bic: texts.bic.replace(/\s/g, '').toUpperCase() || null,
    footer: texts.footer.trim() || null,
  }
}

/**
 * The letterhead to save: the texts that the person changed since the form opened with `before`, and for the others
 * what is stored now, which somebody else may have changed meanwhile.
 */
export function changedFields(
  before: LetterheadTexts,
  texts: LetterheadTexts,
  stored: LetterheadFields,
): LetterheadFields {
  const merged = textsOf(stored)
  for (const name of names) if (texts[name] !== before[name]) merged[name] = texts[name]
  return fieldsOf(merged)
}
