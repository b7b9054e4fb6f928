import { crmLimits } from '#contract/crm/limits.ts'
import { type CrmSettings, readCrmSettings, updateCrmSettings } from '#contract/crm/settings.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { TextField } from '../../parts/field.tsx'
import { Section } from '../../parts/page.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import styles from './settings.module.css'
import { portalSettingsTexts } from './settings.words.ts'

/** The address of the customer portal, and what it says to its visitors (PRT-14). */
export function PortalSettings({ settings }: { settings: CrmSettings }) {
  const text = useWords(portalSettingsTexts)
  const may = useMay()
  const { id } = useOrganization()
  const address = `${location.origin}/portal/sign-in/${id}`
  const { es, en } = settings.portalGreeting
  return (
    <Section title={text.title} about={text.about}>
      <p className={styles.address}>
        <code className={styles.url}>
          <TextLink href={address} isInNewTab>
            {address}
          </TextLink>
        </code>
        <CopyButton text={address} label={text.copy} />
      </p>
      {may(updateCrmSettings) ? (
        <GreetingForm key={JSON.stringify(settings.portalGreeting)} settings={settings} />
      ) : (
        <Facts
          facts={[
            { term: text.greetingEs, value: es },
            { term: text.greetingEn, value: en },
          ]}
        />
      )}
    </Section>
  )
}

function GreetingForm({ settings: { phoneCountry, portalGreeting } }: { settings: CrmSettings }) {
  const text = useWords(portalSettingsTexts)
  const update = useAction(updateCrmSettings, { refreshes: [readCrmSettings] })
  return (
    <ActionForm
      aria-label={text.greeting}
      onSubmit={async ({ es = '', en = '' }) => {
        await update.mutateAsync({
          body: { phoneCountry, portalGreeting: { es: es || null, en: en || null } },
        })
        showToast({ text: text.saved })
      }}
    >
      {({ isBusy }) => (
        <div className={styles.greeting}>
          <TextField
            name="es"
            label={text.greetingEs}
            hint={text.greetingHint}
            rows={3}
            maxLength={crmLimits.portalGreeting}
            defaultValue={portalGreeting.es ?? ''}
          />
          <TextField
            name="en"
            label={text.greetingEn}
            rows={3}
            maxLength={crmLimits.portalGreeting}
            defaultValue={portalGreeting.en ?? ''}
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
