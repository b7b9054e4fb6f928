import { updateTaxRecordOptions } from '#contract/billing/tax-records.ts'
import { changedFieldNames } from '#platform/changed-fields.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { issuerOf } from '#server/crm/index.ts'
import { lockSettings } from '../settings/billing-settings.sql.ts'
import { nifOf } from './nif.ts'
import { hasTaxRecords, setTaxRecordOptions, shownOptions } from './tax-record-options.sql.ts'

export const updateOptions = command(updateTaxRecordOptions, async ({ tx, body, audit, services }) => {
  const { taxRecordMode, taxRecordOptions } = await lockSettings(tx)
  const before = shownOptions(taxRecordMode, taxRecordOptions)
  const { mode: wanted, ...options } = body
  // TAX-1: records that exist are continued
  const mode = wanted === 'OFF' && (await hasTaxRecords(tx)) ? 'KEEP' : wanted
  const server = services.taxRecords
  if (mode !== 'OFF') {
    const isServerReady = mode === 'SEND' ? server?.sendsTo !== undefined : server !== undefined
    // turning sending off is always possible
    if (!isServerReady && !(mode === 'KEEP' && taxRecordMode !== 'OFF')) fail('TAX_RECORDS_NOT_AVAILABLE')
    const issuer = taxRecordMode === 'OFF' ? await issuerOf(tx) : undefined
    if (taxRecordMode === 'OFF' && (issuer?.country !== 'ES' || !nifOf(issuer.taxId)))
      fail('SPANISH_ISSUER_REQUIRED')
  }
  const system = server
    ? {
        producerName: server.producerName,
        producerNif: server.producerNif,
        installation: new URL(services.publicUrl).host,
      }
    : taxRecordOptions?.system
  // nothing was ever turned on, and nothing can be
  if (!system) return before
  const after = { mode, ...options }
  audit(tx.organizationId, changedFieldNames(Object.keys(after) as (keyof typeof after)[], before, after))
  await setTaxRecordOptions(tx, mode, { ...options, system })
  return after
})
