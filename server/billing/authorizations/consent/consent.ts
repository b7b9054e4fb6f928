import { listConsentTexts, readConsentText, writeConsentText } from '#contract/billing/consent.ts'
import { command, query } from '#platform/http/operation.ts'
import { currentText, insertText, listTexts } from './consent.sql.ts'

export const read = query(readConsentText, ({ db, query: { locale = 'es' } }) => currentText(db, locale))

export const list = query(listConsentTexts, async ({ db, query: { limit = 20, offset = 0 } }) => ({
  ...(await listTexts(db, { limit, offset })),
  limit,
  offset,
}))

export const write = command(writeConsentText, async ({ tx, caller, body, audit }) => {
  const written = await insertText(tx, body.locale, body.text, caller.personId)
  audit(`${written.locale}/${written.version}`, ['text'])
  return written
})
