import { useState } from 'react'
import { readBillingSettings, updateBillingSettings } from '#contract/billing/settings.ts'
import type { Reply } from '#contract/route.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { dataOf } from '../../data/contract.ts'
import { textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction, useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { currentTime } from '../../parts/clock.ts'
import { Facts } from '../../parts/facts.tsx'
import { Checkbox, TextField } from '../../parts/field.tsx'
import { NumberField } from '../../parts/number-fields.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Notice, Problem, Skeleton } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { billingSettingsTexts } from './billing-settings.words.ts'
import styles from './settings.module.css'
import { TaxRecords } from './tax-records.tsx'

type Settings = Reply<typeof readBillingSettings>

/** Series, terms and the tax QR code of the documents that are issued from now on (BSET-1). */
export function BillingSettings() {
  const text = useWords(billingSettingsTexts)
  const language = useLanguage()
  const may = useMay()
  const { data, error } = useRead(readBillingSettings)
  return (
    <Page title={text.title}>
      {!data && !error && <Skeleton label={text.reading} />}
      {error && <Problem title={textOfError(error, language)} />}
      {data &&
        (may(updateBillingSettings) ? (
          <SettingsForm key={JSON.stringify(data)} settings={data} />
        ) : (
          <ReadOnly settings={data} />
        ))}
      <TaxRecords />
    </Page>
  )
}

function SettingsForm({ settings }: { settings: Settings }) {
  const text = useWords(billingSettingsTexts)
  const [typed, setTyped] = useState(settings)
  const update = useAction(updateBillingSettings, { refreshes: [readBillingSettings] })
  const { taxQrUrl } = typed
  const change = (changed: Partial<Settings>) => setTyped({ ...typed, ...changed })
  return (
    <ActionForm
      aria-label={text.title}
      onSubmit={async () => {
        await update.mutateAsync({ body: { ...typed, taxQrUrl: taxQrUrl?.trim() || null } })
        showToast({ text: text.saved })
      }}
    >
      {({ isBusy }) => (
        <div>
          <Section title={text.numbers} about={text.numbersAbout}>
            <div className={styles.pair}>
              {(['invoiceSeries', 'rectifyingSeries'] as const).map(name => (
                <TextField
                  key={name}
                  {...fieldOf(updateBillingSettings, name)}
                  label={text[name]}
                  value={typed[name]}
                  onChange={series => change({ [name]: series.toUpperCase().replace(/[^A-Z]/g, '') })}
                  autoComplete="off"
                  spellCheck="false"
                  hint={text.numberExample(firstNumber(typed[name]))}
                />
              ))}
            </div>
          </Section>
          <Section title={text.terms}>
            <div className={styles.pair}>
              <NumberField
                {...boundsOf('paymentDays')}
                label={text.paymentDays}
                hint={text.paymentDaysHint}
                value={typed.paymentDays}
                onChange={days => change({ paymentDays: days ?? settings.paymentDays })}
              />
              <NumberField
                {...boundsOf('linkDays')}
                label={text.linkDays}
                value={typed.linkDays}
                onChange={days => change({ linkDays: days ?? settings.linkDays })}
              />
            </div>
          </Section>
          <Section title={text.refunds}>
            <Checkbox
              isSelected={typed.issuesRectifyingAtOnce}
              onChange={issuesRectifyingAtOnce => change({ issuesRectifyingAtOnce })}
              hint={text.issuesRectifyingAtOnceHint}
            >
              {text.issuesRectifyingAtOnce}
            </Checkbox>
          </Section>
          <Section title={text.taxQr} about={text.taxQrAbout}>
            <TextField
              {...fieldOf(updateBillingSettings, 'taxQrUrl')}
              isRequired={false}
              label={text.taxQrUrl}
              value={taxQrUrl ?? ''}
              onChange={url => change({ taxQrUrl: url })}
              autoComplete="off"
              spellCheck="false"
              hint={text.taxQrHint}
            />
            {isTestAddress(taxQrUrl) && (
              <div className={styles.after}>
                <Notice kind="warn">{text.isTestAddress}</Notice>
              </div>
            )}
          </Section>
          <div className={styles.after}>
            <Button type="submit" kind="primary" isBusy={isBusy}>
              {text.save}
            </Button>
          </div>
        </div>
      )}
    </ActionForm>
  )
}

function ReadOnly({ settings }: { settings: Settings }) {
  const text = useWords(billingSettingsTexts)
  const { invoiceSeries, rectifyingSeries, paymentDays, linkDays, taxQrUrl } = settings
  return (
    <>
      <div className={styles.note}>
        <Notice>{text.readOnly}</Notice>
      </div>
      <Facts
        facts={[
          { term: text.invoiceSeries, value: invoiceSeries },
          { term: text.rectifyingSeries, value: rectifyingSeries },
          { term: text.paymentDays, value: text.days(paymentDays) },
          { term: text.linkDays, value: text.days(linkDays) },
          { term: text.issuesRectifyingAtOnce, value: settings.issuesRectifyingAtOnce ? text.yes : text.no },
          { term: text.taxQrUrl, value: taxQrUrl ?? text.none },
        ]}
      />
    </>
  )
}

function boundsOf(name: 'paymentDays' | 'linkDays') {
  const { minimum, maximum } = dataOf(updateBillingSettings).fields[name]!
  return { name, minimum: minimum!, maximum: maximum!, isRequired: true }
}

/** The first number of the series in this year, which is that of UTC (INV-15). */
function firstNumber(series: string): string {
  return `${series}${new Date(currentTime()).getUTCFullYear()}-000001`
}

/** The tax office answers for invoices of tests at this host. */
function isTestAddress(url: string | null): boolean {
  return url?.startsWith('https://prewww2.aeat.es/') ?? false
}
