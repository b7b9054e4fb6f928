import type { BillingSettings } from '#contract/billing/settings.ts'
import type { TaxRecordMode } from '#contract/billing/tax-records.ts'
import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import type { StoredTaxRecordOptions } from '../tax-records/record-content.ts'

/** The settings of an organization that has not changed them. */
export const defaultSettings: BillingSettings = {
  invoiceSeries: 'F',
  rectifyingSeries: 'R',
  paymentDays: limits.invoicePaymentDaysDefault,
  linkDays: limits.invoiceLinkDaysDefault,
  // the tax office's test address for systems that keep their records locally
  taxQrUrl: 'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQRNoVerifactu',
  issuesRectifyingAtOnce: false,
}
const columns = `s.invoice_series as "invoiceSeries", s.rectifying_series as "rectifyingSeries",
  s.payment_days as "paymentDays", s.link_days as "linkDays", s.issues_rectifying_at_once as "issuesRectifyingAtOnce",
  s.tax_qr_url as "taxQrUrl"`

const select = sql<BillingSettings>(
  `select ${columns} from billing_settings s where s.organization_id = $organization`,
)
/** The settings with those of tax records: issuing reads both at once. */
export type IssuingSettings = BillingSettings & {
  taxRecordMode: TaxRecordMode
  /** Null until records are turned on. */
  taxRecordOptions: StoredTaxRecordOptions | null
}
const issuingColumns = `${columns}, s.tax_record_mode as "taxRecordMode", s.tax_record_options as "taxRecordOptions"`
const lockShared = sql<IssuingSettings>(
  `select ${issuingColumns} from billing_settings s where s.organization_id = $organization for share`,
)
type Values = {
  series: string
  rectifying: string
  paymentDays: number
  linkDays: number
  atOnce: boolean
  qrUrl: string | null
}
const valuesOf = (input: BillingSettings): Values => ({
  series: input.invoiceSeries,
  rectifying: input.rectifyingSeries,
  paymentDays: input.paymentDays,
  linkDays: input.linkDays,
  atOnce: input.issuesRectifyingAtOnce,
  qrUrl: input.taxQrUrl,
})
// an exclusive lock against concurrent issuing
const lockRow = sql<IssuingSettings, Values>(`
  with held as (
    insert into billing_settings as s
      (organization_id, invoice_series, rectifying_series, payment_days, link_days, issues_rectifying_at_once, tax_qr_url)
    values ($organization, $series, $rectifying, $paymentDays, $linkDays, $atOnce, $qrUrl)
    on conflict (organization_id) do update set updated_at = s.updated_at where s.organization_id = $organization
    returning s.*)
  select ${issuingColumns} from held s`)
const update = sql<never, Values>(`
  update billing_settings s set invoice_series = $series, rectifying_series = $rectifying,
    payment_days = $paymentDays, link_days = $linkDays,
    issues_rectifying_at_once = $atOnce, tax_qr_url = $qrUrl, updated_at = now()
  where s.organization_id = $organization`)
const used = sql<{ isOrdinary: boolean; isRectifying: boolean }, { series: string; rectifying: string }>(`
  select coalesce(bool_or(c.is_rectifying and c.prefix = $series), false) as "isRectifying",
    coalesce(bool_or(not c.is_rectifying and c.prefix = $rectifying), false) as "isOrdinary"
  from invoice_counter c where c.organization_id = $organization`)

export async function readSettings(db: Db): Promise<BillingSettings> {
  return (await db.first(select)) ?? defaultSettings
}

/** The settings under a shared lock: nobody changes them until the transaction ends. */
export async function lockSettingsShared(tx: Tx): Promise<IssuingSettings> {
  return (await tx.first(lockShared)) ?? lockSettings(tx)
}

/** The settings under an exclusive lock, stored if missing: nobody issues an invoice until the transaction ends. */
export function lockSettings(tx: Tx): Promise<IssuingSettings> {
  return tx.one(lockRow, valuesOf(defaultSettings))
}

export async function setSettings(tx: Tx, settings: BillingSettings): Promise<void> {
  await tx.run(update, valuesOf(settings))
}

/** Whether a series was already used for the other kind of invoice: a series holds one kind only. */
export function seriesUsage(
  tx: Tx,
  { invoiceSeries, rectifyingSeries }: BillingSettings,
): Promise<{ isOrdinary: boolean; isRectifying: boolean }> {
  return tx.first(used, { series: invoiceSeries, rectifying: rectifyingSeries }) as Promise<{
    isOrdinary: boolean
    isRectifying: boolean
  }>
}
