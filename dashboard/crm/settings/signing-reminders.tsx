import { useState } from 'react'
import { type CrmSettings, readCrmSettings, updateCrmSettings } from '#contract/crm/settings.ts'
import { limits } from '#contract/limits.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { useMay } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { NumberField } from '../../parts/number-fields.tsx'
import { Section } from '../../parts/page.tsx'
import { Switch } from '../../parts/switch.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import styles from './settings.module.css'
import { signingReminderTexts } from './settings.words.ts'

const proposed = { days: 3, most: 2 }

/** When signers who do not answer are mailed again (LNKS-30). */
export function SigningReminders({ settings }: { settings: CrmSettings }) {
  const text = useWords(signingReminderTexts)
  const may = useMay()
  const { signingReminders: current } = settings
  return (
    <Section title={text.title} about={text.about}>
      {may(updateCrmSettings) ? (
        <SigningRemindersForm key={JSON.stringify(current)} settings={settings} />
      ) : (
        <p>{current ? text.summary(current.days, current.most) : text.off}</p>
      )}
    </Section>
  )
}

function SigningRemindersForm({ settings }: { settings: CrmSettings }) {
  const text = useWords(signingReminderTexts)
  const { phoneCountry, signingReminders: current } = settings
  const [isOn, setOn] = useState(current !== null)
  const [{ days, most }, set] = useState(current ?? proposed)
  const update = useAction(updateCrmSettings, { refreshes: [readCrmSettings] })
  return (
    <ActionForm
      aria-label={text.title}
      onSubmit={async () => {
        await update.mutateAsync({ body: { phoneCountry, signingReminders: isOn ? { days, most } : null } })
        showToast({ text: text.saved })
      }}
    >
      {({ isBusy }) => (
        <div className={styles.fields}>
          <Switch isSelected={isOn} onChange={setOn}>
            {text.remind}
          </Switch>
          {isOn && (
            <>
              <NumberField
                label={text.days}
                hint={text.daysHint}
                value={days}
                onChange={next => set({ most, days: next ?? proposed.days })}
                minimum={1}
                maximum={limits.signingReminderDays}
              />
              <NumberField
                label={text.most}
                value={most}
                onChange={next => set({ days, most: next ?? proposed.most })}
                minimum={1}
                maximum={limits.signingReminders}
              />
            </>
          )}
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
