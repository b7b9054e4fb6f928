import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { readErrorTab, regressionTickets, updateErrorSettings } from '#contract/error-reports/tab.ts'
import type { Reply } from '#contract/route.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { textOfError } from '../../data/errors.ts'
import { useAction, useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Checkbox } from '../../parts/field.tsx'
import { countText } from '../../parts/number-text.ts'
import { Page, Section } from '../../parts/page.tsx'
import { RadioGroup } from '../../parts/radio-group.tsx'
import { Empty, Problem, Skeleton } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { ErrorTabs } from '../error-tabs.tsx'
import { ReportBars } from '../groups/error-chart.tsx'
import { countsPollMs, useApplications } from '../groups/use-errors.ts'
import { FirstReport } from './first-report.tsx'
import styles from './reporting.module.css'
import { reportingTexts } from './reporting.words.ts'
import { type Hours, hourCounts } from './reporting-search.ts'
import { SecretNames } from './secret-names.tsx'
import { ErrorStatistics } from './statistics.tsx'

type ErrorTab = Reply<typeof readErrorTab>

/** How the errors of an application arrive: its reports by hour, its errors by kind, its settings, and secret names. */
export function Reporting() {
  const text = useWords(reportingTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const search = useSearch({ from: '/o/$organization/errors/reporting' })
  const { applications, isLoading, error } = useApplications()
  const id = search.application ?? applications[0]?.id
  const hours = search.hours ?? 24
  const change = (changed: { application?: string; hours?: Hours }) =>
    void navigate({ to: '.', search: (former: object) => ({ ...former, ...changed }), replace: true })
  return (
    <Page title={text.title} below={<ErrorTabs current="reporting" application={search.application} />}>
      {isLoading && <Skeleton rows={6} label={text.reading} />}
      {error && <Problem title={textOfError(error, language)} />}
      {!isLoading && !error && id === undefined && (
        <Empty title={text.noApplications}>{text.noApplicationsAbout}</Empty>
      )}
      {id !== undefined && (
        <>
          <div className={styles.choices}>
            <Choice
              label={text.application}
              value={id}
              onChange={application => change({ application })}
              options={applications.map(one => ({ value: one.id, label: one.name }))}
            />
            <Choice
              label={text.period}
              value={String(hours)}
              onChange={next => {
                const chosen = hourCounts.find(count => String(count) === next)
                if (chosen) change({ hours: chosen })
              }}
              options={hourCounts.map(count => ({ value: String(count), label: text[`last${count}`] }))}
            />
          </div>
          <OfApplication key={id} id={id} hours={hours} />
        </>
      )}
      <SecretNames />
    </Page>
  )
}

function OfApplication({ id, hours }: { id: string; hours: number }) {
  const text = useWords(reportingTexts)
  const language = useLanguage()
  const { data, error, refetch } = useRead(
    readErrorTab,
    { params: { id }, query: { hours } },
    { pollMs: countsPollMs },
  )
  const newErrors = (data?.hours ?? []).reduce((sum, hour) => sum + hour.newErrors, 0)
  return (
    <>
      <Section title={text.reports} about={text.reportsAbout}>
        {error && (
          <Problem
            title={textOfError(error, language)}
            action={<Button onPress={() => void refetch()}>{text.again}</Button>}
          />
        )}
        {!error && <ReportBars applicationId={id} count={hours} />}
        {newErrors > 0 && (
          <p className={styles.after}>{text.newErrors(countText(newErrors, language), newErrors === 1)}</p>
        )}
      </Section>
      {data && data.statistics.total === 0 && <FirstReport application={id} />}
      {data && data.statistics.total > 0 && (
        <ErrorStatistics applicationId={id} statistics={data.statistics} />
      )}
      {data && <SettingsForm key={JSON.stringify(data.settings)} id={id} settings={data.settings} />}
    </>
  )
}

function SettingsForm({ id, settings }: { id: string; settings: ErrorTab['settings'] }) {
  const text = useWords(reportingTexts)
  const [values, setValues] = useState(settings)
  const update = useAction(updateErrorSettings, { refreshes: [readErrorTab] })
  async function send(): Promise<void> {
    await update.mutateAsync({ params: { id }, body: values })
    showToast({ text: text.saved })
  }
  return (
    <Section title={text.tickets}>
      <ActionForm onSubmit={send} aria-label={text.tickets}>
        {({ isBusy }) => (
          <>
            <RadioGroup
              label={text.ticketOnRegression}
              value={values.ticketOnRegression}
              onChange={ticketOnRegression => setValues({ ...values, ticketOnRegression })}
              options={regressionTickets.map(value => ({ value, label: text[value] }))}
            />
            <Checkbox
              isSelected={values.resolveWithTicket}
              onChange={resolveWithTicket => setValues({ ...values, resolveWithTicket })}
            >
              {text.resolveWithTicket}
            </Checkbox>
            <div>
              <Button type="submit" isBusy={isBusy}>
                {text.save}
              </Button>
            </div>
          </>
        )}
      </ActionForm>
    </Section>
  )
}
