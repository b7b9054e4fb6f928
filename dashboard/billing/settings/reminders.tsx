import { useState } from 'react'
import {
  listUpcomingReminders,
  readReminderSettings,
  updateReminderSettings,
} from '#contract/billing/reminders.ts'
import { limits } from '#contract/limits.ts'
import type { Reply } from '#contract/route.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { textOfError } from '../../data/errors.ts'
import { useKnownHref } from '../../data/known-href.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction, useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Combo } from '../../parts/combo.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Money } from '../../parts/money.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Notice, Problem, Skeleton } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { clockText } from '../../parts/time-text.ts'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { ReminderRuleFields } from './reminder-rule.tsx'
import { reminderTexts, ruleName } from './reminders.words.ts'
import styles from './settings.module.css'

type Settings = Reply<typeof readReminderSettings>

/** The rules by which unpaid invoices are reminded of (REM-1), and the reminders that come next. */
export function Reminders() {
  const text = useWords(reminderTexts)
  const language = useLanguage()
  const may = useMay()
  const { data, error } = useRead(readReminderSettings)
  return (
    <Page title={text.title}>
      <p className={styles.note}>{text.about}</p>
      {!data && !error && <Skeleton label={text.reading} />}
      {error && <Problem title={textOfError(error, language)} />}
      {data &&
        (may(updateReminderSettings) ? (
          <SettingsForm key={JSON.stringify(data)} settings={data} />
        ) : (
          <ReadOnly settings={data} />
        ))}
      <Upcoming />
    </Page>
  )
}

const hours = Array.from(
  { length: limits.reminderHourLast - limits.reminderHourFirst + 1 },
  (_, at) => limits.reminderHourFirst + at,
)

/** The days that new rules propose: as many as an organization may have rules. */
const usualDays = [7, 14, 0, -3, 30, 21, -7, 1, 45, 60]

function SettingsForm({ settings }: { settings: Settings }) {
  const text = useWords(reminderTexts)
  const [{ timeZone, hour }, setTime] = useState(settings)
  // rules have no id, and their days change while they are typed
  const [rules, setRules] = useState(() => settings.rules.map((rule, key) => ({ key, rule })))
  const update = useAction(updateReminderSettings, {
    refreshes: [readReminderSettings, listUpcomingReminders],
  })
  const zones = [...new Set([timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]
  const add = () => {
    const days = usualDays.find(free => rules.every(({ rule }) => rule.days !== free)) ?? 0
    const key = Math.max(-1, ...rules.map(each => each.key)) + 1
    setRules([...rules, { key, rule: { days, isOn: true, text: null } }])
  }
  return (
    <ActionForm
      aria-label={text.title}
      onSubmit={async () => {
        await update.mutateAsync({ body: { timeZone, hour, rules: rules.map(({ rule }) => rule) } })
        showToast({ text: text.saved })
      }}
    >
      {({ isBusy }) => (
        <div>
          <Section title={text.when}>
            <div className={styles.pair}>
              <Combo
                label={text.timeZone}
                name="timeZone"
                items={zones.map(zone => ({ id: zone, label: zone.replaceAll('_', ' ') }))}
                value={timeZone}
                onChange={zone => zone !== null && setTime({ ...settings, hour, timeZone: zone })}
              />
              <Choice
                label={text.hour}
                hint={text.hourHint}
                value={String(hour)}
                onChange={next => setTime({ ...settings, timeZone, hour: Number(next) })}
                options={hours.map(each => ({ value: String(each), label: clockText(each, 0) }))}
              />
            </div>
          </Section>
          <Section title={text.rules}>
            {rules.length === 0 && <p className={`${styles.quiet} ${styles.noRules}`}>{text.noRules}</p>}
            {rules.map(({ key, rule }, at) => (
              <ReminderRuleFields
                key={key}
                rule={rule}
                onChange={next => setRules(rules.with(at, { key, rule: next }))}
                onRemove={() => setRules(rules.toSpliced(at, 1))}
              />
            ))}
            <Button icon="plus" onPress={add} isDisabled={rules.length >= limits.reminderRules}>
              {text.add}
            </Button>
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

function ReadOnly({ settings: { timeZone, hour, rules } }: { settings: Settings }) {
  const text = useWords(reminderTexts)
  const active = rules.filter(({ isOn }) => isOn)
  return (
    <>
      <div className={styles.note}>
        <Notice>{text.readOnly}</Notice>
      </div>
      <Section title={text.when}>
        <Facts
          facts={[
            { term: text.timeZone, value: timeZone },
            { term: text.hour, value: clockText(hour, 0) },
            {
              term: text.rules,
              value: active.map(({ days }) => ruleName(text, days)).join(' · ') || text.noRules,
            },
          ]}
        />
      </Section>
    </>
  )
}

function Upcoming() {
  const text = useWords(reminderTexts)
  const language = useLanguage()
  const invoicesHref = useKnownHref()('invoices')
  const { data, error } = useRead(listUpcomingReminders)
  return (
    <Section title={text.upcoming} about={text.upcomingAbout}>
      {error && <Problem title={textOfError(error, language)} />}
      {data?.items.length === 0 && <p className={styles.quiet}>{text.noUpcoming}</p>}
      <ul className={styles.upcoming}>
        {data?.items.map(item => (
          <li key={`${item.invoiceId} ${item.days}`}>
            <span>
              <Time value={item.day} form="date" />
              <span className={styles.quiet}> · {ruleName(text, item.days)}</span>
            </span>
            <span>
              {invoicesHref ? <a href={`${invoicesHref}/${item.invoiceId}`}>{item.number}</a> : item.number}
              <span className={styles.quiet}> · {item.clientName}</span>
            </span>
            <Money cents={item.dueCents} currency={item.currency} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
