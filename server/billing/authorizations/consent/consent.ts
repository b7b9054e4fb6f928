import { listConsentTexts, readConsentText, writeConsentText } from '#contract/billing/consent.ts'
import { command, query } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { currentText, insertText, listTexts } from './consent.sql.ts'

export const read = query(readConsentText, ({ db, query: { locale = 'es' } }) => currentText(db, locale))

export const list = query(listConsentTexts, async ({ db, query }) => {
  const page = pageOf(query)
  return { ...(await listTexts(db, page)), ...page }
})

export const write = command(writeConsentText, async ({ tx, caller, body, audit }) => {
  const written = await insertText(tx, body.locale, body.text, caller.personId)
  audit(`${written.locale}/${written.version}`, ['text'])
  return written
})
