import { readCrmSettings, updateCrmSettings } from '#contract/crm/settings.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction, useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Notice, Problem, Skeleton } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { countryName } from '../countries.ts'
import { CountryField } from '../country-field.tsx'
import { PortalSettings } from './portal-settings.tsx'
import { SealCertificateSection } from './seal-certificate.tsx'
import styles from './settings.module.css'
import { crmSettingsTexts } from './settings.words.ts'
import { SigningReminders } from './signing-reminders.tsx'
import { TimeStamps } from './time-stamps.tsx'

/** The settings of the CRM: telephone numbers, reminders, the customer portal, and the seal of documents. */
export function CrmSettings() {
  const text = useWords(crmSettingsTexts)
  const language = useLanguage()
  const may = useMay()
  const { data, error } = useRead(readCrmSettings)
  return (
    <Page title={text.title}>
      {!data && !error && <Skeleton label={text.reading} />}
      {error && <Problem title={textOfError(error, language)} />}
      {data && (
        <>
          <Section title={text.phones} about={text.phonesAbout}>
            {may(updateCrmSettings) ? (
              <PhoneCountry key={data.phoneCountry} current={data.phoneCountry} />
            ) : (
              <>
                <div className={styles.note}>
                  <Notice>{text.readOnly}</Notice>
                </div>
                <Facts facts={[{ term: text.country, value: countryName(data.phoneCountry, language) }]} />
              </>
            )}
          </Section>
          <SigningReminders settings={data} />
          <PortalSettings settings={data} />
          <SealCertificateSection />
          <TimeStamps />
        </>
      )}
    </Page>
  )
}

function PhoneCountry({ current }: { current: string }) {
  const text = useWords(crmSettingsTexts)
  const language = useLanguage()
  const update = useAction(updateCrmSettings, { refreshes: [readCrmSettings] })
  return (
    <ActionForm
      onSubmit={async ({ phoneCountry = '' }) => {
        const changed = await update.mutateAsync({ body: { phoneCountry } })
        showToast({ text: text.saved(countryName(changed.phoneCountry, language)) })
      }}
    >
      {({ isBusy }) => (
        <div className={styles.fields}>
          <CountryField
            label={text.country}
            hint={text.countryHint}
            name="phoneCountry"
            defaultValue={current}
            isRequired
          />
          <div>
            <Button type="submit" isBusy={isBusy}>
              {text.save}
            </Button>
          </div>
        </div>
      )}
    </ActionForm>
  )
}
