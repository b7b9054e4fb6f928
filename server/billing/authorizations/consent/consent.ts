import { listConsentTexts, readConsentText, writeConsentText } from '#contract/billing/consent.ts'
import { changes, reads } from '#platform/http/operation.ts'
import { currentText, insertText, listTexts } from './consent.sql.ts'

export const read = reads(readConsentText, ({ db, query: { locale = 'es' } }) => currentText(db, locale))

export const list = reads(listConsentTexts, async ({ db, query: { limit = 20, offset = 0 } }) => ({
  ...(await listTexts(db, { limit, offset })),
  limit,
  offset,
}))

export const write = changes(writeConsentText, async ({ tx, caller, body, audits }) => {
  const written = await insertText(tx, body.locale, body.text, caller.personId)
  audits(`${written.locale}/${written.version}`, ['text'])
  return written
})
