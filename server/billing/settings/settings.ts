import { readBillingSettings, updateBillingSettings } from '#contract/billing/settings.ts'
import { changedFieldNames } from '#platform/changed-fields.ts'
import { fail } from '#platform/fail.ts'
import { command, query } from '#platform/http/operation.ts'
import { lockSettings, readSettings, seriesUsage, setSettings } from './billing-settings.sql.ts'

export const read = query(readBillingSettings, ({ db }) => readSettings(db))

export const update = command(updateBillingSettings, async ({ tx, body, audit }) => {
  const before = await lockSettings(tx)
  if (body.rectifyingSeries === body.invoiceSeries)
    refuse('rectifyingSeries', 'must differ from invoiceSeries')
  const used = await seriesUsage(tx, body)
  if (used.isRectifying) refuse('invoiceSeries', 'was already used for rectifying invoices')
  if (used.isOrdinary) refuse('rectifyingSeries', 'was already used for ordinary invoices')
  const changed = changedFieldNames(Object.keys(body) as (keyof typeof body)[], before, body)
  if (changed.length > 0) await setSettings(tx, body)
  audit(tx.organizationId, changed)
  return body
})

function refuse(path: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code: 'series', message }] })
}
