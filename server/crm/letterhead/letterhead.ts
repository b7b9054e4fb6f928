import { type Letterhead, readLetterhead, updateLetterhead } from '#contract/crm/letterhead.ts'
import { limits } from '#contract/limits.ts'
import { contrast } from '#platform/accent-colors.ts'
import { changedFieldNames } from '#platform/changed-fields.ts'
import { fail } from '#platform/fail.ts'
import { command, query } from '#platform/http/operation.ts'
import { normalizeTextOrNull } from '../normalize-text.ts'
import { isIban } from './letterhead.rules.ts'
import { letterheadOf, setLetterhead } from './letterhead.sql.ts'

export const read = query(readLetterhead, ({ db }) => letterheadOf(db))

export const update = command(updateLetterhead, async ({ tx, body, audit }) => {
  const before = await letterheadOf(tx)
  const letterhead: Letterhead = {
    ...before,
    accentColor: body.accentColor,
    accountHolder: normalizeTextOrNull(body.accountHolder),
    iban: body.iban === null ? null : body.iban.replaceAll(' ', ''),
    bic: body.bic,
    footer: normalizeTextOrNull(body.footer),
  }
  assertValid(letterhead)
  const changed = changedFieldNames(names, before, letterhead)
  audit(tx.organizationId, changed)
  if (changed.length > 0) await setLetterhead(tx, letterhead)
  return letterhead
})

const names = {
  accentColor: 'accentColor',
  accountHolder: 'accountHolder',
  iban: 'iban',
  bic: 'bic',
  footer: 'footer',
}
const footerLines = 4

function assertValid({ accentColor, iban, footer }: Letterhead): void {
  if (accentColor !== null && contrast(accentColor, '#ffffff') < limits.letterheadContrast)
    refuse('accentColor', 'contrast', 'is too light on white paper')
  if (iban !== null && !isIban(iban)) refuse('iban', 'format', 'has wrong check digits')
  if (footer !== null && footer.split('\n').length > footerLines)
    refuse('footer', 'maxLines', `must have at most ${footerLines} lines`)
}

function refuse(path: string, code: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}
