import { readTimeStampStatus, type TimeStampStatus } from '#contract/crm/time-stamps.ts'
import { textOfError } from '../../data/errors.ts'
import { useRead } from '../../data/read.ts'
import { Facts } from '../../parts/facts.tsx'
import { Section } from '../../parts/page.tsx'
import { Notice, Problem, Skeleton } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { sealSettingsTexts } from './seal.words.ts'
import styles from './settings.module.css'

/** How far the signatures of the organization have time stamps (TSP-6). */
export function TimeStamps() {
  const text = useWords(sealSettingsTexts)
  const language = useLanguage()
  const { data, error } = useRead(readTimeStampStatus, undefined, { staleMs: 0 })
  return (
    <Section title={text.timeStamps} about={text.timeStampsAbout}>
      {!data && !error && <Skeleton rows={2} label={text.reading} />}
      {error && <Problem title={textOfError(error, language)} />}
      {data && <Stamped status={data} />}
    </Section>
  )
}

function Stamped({ status }: { status: TimeStampStatus }) {
  const text = useWords(sealSettingsTexts)
  const { isOn, signatures, stamped, lastStampedAt, authority, failedAt, problem } = status
  return (
    <>
      {!isOn && (
        <div className={styles.note}>
          <Notice>{text.timeStampsOff}</Notice>
        </div>
      )}
      {problem && failedAt && (
        <div className={styles.note}>
          <Notice kind={problem === 'CHAIN_BROKEN' ? 'danger' : 'warn'}>{text[problem]}</Notice>
        </div>
      )}
      {(isOn || stamped > 0) && (
        <Facts
          facts={[
            { term: text.signatures, value: text.stampedOf(stamped, signatures) },
            {
              term: text.lastStampedAt,
              value: lastStampedAt && <Time value={lastStampedAt} form="moment" />,
            },
            { term: text.authority, value: authority },
            { term: text.failedAt, value: failedAt && <Time value={failedAt} form="moment" /> },
          ]}
        />
      )}
    </>
  )
}
