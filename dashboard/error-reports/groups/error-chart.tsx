import { useState } from 'react'
import { readErrorTab } from '#contract/error-reports/tab.ts'
import { HourBars } from '../../charts/hour-bars.tsx'
import { useRead } from '../../data/read.ts'
import { Choice } from '../../parts/choice.tsx'
import { useMinute } from '../../parts/clock.ts'
import { LocalTabs } from '../../parts/local-tabs.tsx'
import { countText } from '../../parts/number-text.ts'
import { Notice, Skeleton } from '../../parts/states.tsx'
import { absoluteTime } from '../../parts/time-text.ts'
import { type Language, useLanguage, useWords } from '../../words/words.ts'
import type { ErrorDetail } from './error.ts'
import styles from './error-body.module.css'
import { errorDetailTexts } from './error-details.words.ts'
import { errorTexts } from './errors.words.ts'
import { hourBarsOf } from './hours.ts'
import { countsPollMs } from './use-errors.ts'

const periods = ['24', '168'] as const
type Period = (typeof periods)[number]

/** The occurrences by hour, beside all reports of the application: received, limited and discarded. */
export function ErrorChart({ error }: { error: ErrorDetail }) {
  const text = useWords(errorDetailTexts)
  const language = useLanguage()
  const now = useMinute()
  const [period, setPeriod] = useState<Period>('24')
  const [tab, setTab] = useState('error')
  const count = Number(period)
  const labelOf = hourLabel(language, count)
  const overview = useApplicationHours(error.applicationId, count)
  const limited = (overview.data?.hours ?? []).reduce((sum, hour) => sum + hour.limited, 0)
  return (
    <section className={styles.part} aria-label={text.chart}>
      <div className={styles.chart}>
        <LocalTabs
          label={text.chart}
          current={tab}
          onChange={setTab}
          tabs={[
            {
              id: 'error',
              title: text.thisError,
              content: (
                <HourBars
                  label={text.chart}
                  series={[{ id: 'count', label: text.occurrences, kind: 'strong' }]}
                  bars={hourBarsOf(error.hours, {
                    now,
                    count,
                    labelOf,
                    valuesOf: hour => ({ count: hour.count }),
                  })}
                />
              ),
            },
            {
              id: 'application',
              title: text.allReports,
              content: <ReportBars applicationId={error.applicationId} count={count} />,
            },
          ]}
        />
        <div className={styles.period}>
          <Choice
            label={text.period}
            isLabelHidden
            value={period}
            onChange={setPeriod}
            options={periods.map(value => ({ value, label: text[`last${value}`] }))}
          />
        </div>
      </div>
      {limited > 0 && <Notice kind="warn">{text.limitedAbout(countText(limited, language))}</Notice>}
    </section>
  )
}

/** All reports of an application by hour: received, limited, discarded. */
export function ReportBars({ applicationId, count }: { applicationId: string; count: number }) {
  const text = useWords(errorDetailTexts)
  const words = useWords(errorTexts)
  const language = useLanguage()
  const now = useMinute()
  const { data } = useApplicationHours(applicationId, count)
  if (!data) return <Skeleton rows={2} label={words.reading} />
  return (
    <HourBars
      label={text.allReports}
      series={[
        { id: 'accepted', label: text.accepted, kind: 'strong' },
        { id: 'limited', label: text.limited, kind: 'failed' },
        { id: 'discarded', label: text.discarded, kind: 'plain' },
      ]}
      bars={hourBarsOf(data.hours, {
        now,
        count,
        labelOf: hourLabel(language, count),
        valuesOf: ({ accepted, limited, discarded }) => ({ accepted, limited, discarded }),
      })}
    />
  )
}

function useApplicationHours(applicationId: string, hours: number) {
  return useRead(readErrorTab, { params: { id: applicationId }, query: { hours } }, { pollMs: countsPollMs })
}

/** An hour of today is a time; of a longer period, also the day. */
function hourLabel(language: Language, count: number): (time: number) => string {
  return time => absoluteTime(time, language, count > 24 ? 'moment' : 'clock')
}
