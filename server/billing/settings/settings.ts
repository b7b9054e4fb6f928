import { readBillingSettings, updateBillingSettings } from '#contract/billing/settings.ts'
import { fail } from '#platform/fail.ts'
import { changes, reads } from '#platform/http/operation.ts'
import { holdSettings, setSettings, settingsOf, usedAs } from './billing-settings.sql.ts'

export const read = reads(readBillingSettings, ({ db }) => settingsOf(db))

export const update = changes(updateBillingSettings, async ({ tx, body, audits }) => {
  const before = await holdSettings(tx)
  if (body.rectifyingSeries === body.invoiceSeries) refuse('rectifyingSeries', 'must be another one')
  const used = await usedAs(tx, body)
  if (used.isRectifying) refuse('invoiceSeries', 'was used for rectifying invoices')
  if (used.isOrdinary) refuse('rectifyingSeries', 'was used for invoices that rectify nothing')
  const names = Object.keys(body) as (keyof typeof body)[]
  const changed = names.filter(name => body[name] !== before[name])
  if (changed.length > 0) await setSettings(tx, body)
  audits(tx.organizationId, changed)
  return body
})

function refuse(path: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code: 'series', message }] })
}
