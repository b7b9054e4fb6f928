import type { TaxRecordMode, TaxRecordOptions } from '#contract/billing/tax-records.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { required } from '#platform/required.ts'
import type { StoredTaxRecordOptions } from './record-content.ts'

/** The options of an organization that has not set them. */
const defaultTaxRecordOptions: TaxRecordOptions = {
  mode: 'OFF',
  regime: '01',
  untaxedDomestic: null,
  untaxedForeign: null,
}

type Row = { mode: TaxRecordMode; options: StoredTaxRecordOptions | null }
const select = sql<Row>(`
  select s.tax_record_mode as mode, s.tax_record_options as options
  from billing_settings s where s.organization_id = $organization`)
const update = sql<never, { mode: TaxRecordMode; options: string }>(`
  update billing_settings s set tax_record_mode = $mode, tax_record_options = $options::jsonb, updated_at = now()
  where s.organization_id = $organization`)
// locks every chain: a record that is being written is scheduled by its own statement, which reads the mode, or by this one
const schedule = sql(`
  update tax_record_chain c set next_send_at =
    case when s.tax_record_mode = 'SEND' and c.last_number > c.answered_through
      then coalesce(c.next_send_at, greatest(now(), c.wait_until)) end
  from billing_settings s where c.organization_id = $organization and s.organization_id = $organization`)
const hasChain = sql<{ issuer_nif: string }>(`
  select c.issuer_nif from tax_record_chain c where c.organization_id = $organization and c.last_number > 0
    limit 1`)

export async function readTaxRecordOptions(db: Db): Promise<TaxRecordOptions> {
  const { mode = 'OFF', options = null } = (await db.first(select)) ?? {}
  return shownOptions(mode, options)
}

/** The stored options; records must have been turned on. */
export async function readStoredOptions(db: Db): Promise<StoredTaxRecordOptions> {
  return required((await db.one(select)).options, 'the options of tax records')
}

/** Whether the organization has a record. */
export async function hasTaxRecords(db: Db): Promise<boolean> {
  return (await db.first(hasChain)) !== undefined
}

export function shownOptions(mode: TaxRecordMode, stored: StoredTaxRecordOptions | null): TaxRecordOptions {
  const { regime, untaxedDomestic, untaxedForeign } = stored ?? defaultTaxRecordOptions
  return { mode, regime, untaxedDomestic, untaxedForeign }
}

/** The settings must be locked. Sending starts or stops with the mode. */
export async function setTaxRecordOptions(
  tx: Tx,
  mode: TaxRecordMode,
  options: StoredTaxRecordOptions,
): Promise<void> {
  await Promise.all([tx.run(update, { mode, options: JSON.stringify(options) }), tx.run(schedule)])
}
