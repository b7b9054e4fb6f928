import { Fragment } from 'react'
import { useOrganization } from '../../data/organization.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { countText } from '../../parts/number-text.ts'
import { TextLink } from '../../parts/text-link.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { TicketStatus } from '../tickets/ticket-status.tsx'
import { silenceOf } from './error.rules.ts'
import { type ErrorDetail, placeOf } from './error.ts'
import styles from './error-body.module.css'
import { errorDetailTexts } from './error-details.words.ts'
import { ErrorSeverity, ErrorState } from './error-status.tsx'
import { errorChangeTexts, errorTexts } from './errors.words.ts'

/** The facts about an error: its state, its counts, and where it occurs. */
export function ErrorFacts({ error, applicationName }: { error: ErrorDetail; applicationName: string }) {
  const text = useWords(errorDetailTexts)
  const words = useWords(errorTexts)
  const changeText = useWords(errorChangeTexts)
  const language = useLanguage()
  const { address } = useOrganization()
  const base = `/o/${encodeURIComponent(address)}/errors`
  const application = `?application=${error.applicationId}`
  const number = (count: number, cap = Number.POSITIVE_INFINITY) => countText(count, language, cap)
  return (
    <Facts
      facts={[
        { term: words.state, value: <ErrorState state={error.state} /> },
        { term: words.severity, value: <ErrorSeverity severity={error.severity} /> },
        {
          term: text.resolvedBy,
          value: error.resolvedAt && (
            <>
              {error.resolvedBy?.name} <Time value={error.resolvedAt} form="moment" />
            </>
          ),
        },
        { term: text.silence, value: error.state === 'SILENCED' && <Silence error={error} /> },
        {
          term: text.ticket,
          value: error.ticket && (
            <span className={styles.ticket}>
              <TicketStatus status={error.ticket.status} />
              <TextLink href={`${base}/tickets${application}&open=${error.ticket.id}`}>
                {changeText.openTicket}
              </TextLink>
            </span>
          ),
        },
        { term: text.occurrences, value: number(error.count) },
        { term: text.users, value: number(error.usersAffected, 1_000) },
        { term: text.regressions, value: error.regressionCount > 0 && number(error.regressionCount) },
        { term: text.first, value: <Time value={error.firstOccurrence} form="moment" /> },
        { term: text.last, value: <Time value={error.lastOccurrence} form="moment" /> },
        {
          term: words.application,
          value: <TextLink href={`${base}${application}`}>{applicationName}</TextLink>,
        },
        {
          term: words.module,
          value: (
            <TextLink href={`${base}${application}&module=${encodeURIComponent(error.module)}`}>
              {error.module}
            </TextLink>
          ),
        },
        { term: words.place, value: error.file && <Place text={placeOf(error)} /> },
        {
          term: text.function,
          value: error.function && <Place text={error.function} />,
        },
        {
          term: text.endpoint,
          value: error.endpoint && [error.method, error.endpoint].filter(Boolean).join(' '),
        },
        { term: text.fingerprint, value: <Id value={error.hash} isShortened /> },
      ]}
    />
  )
}

/** A path that breaks after its slashes. */
function Place({ text }: { text: string }) {
  return (
    <span className={styles.place}>
      {[...text.matchAll(/[^/\\]*[/\\]|[^/\\]+/g)].map(({ 0: part, index }) => (
        <Fragment key={index}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </span>
  )
}

/** When the silence ends; nothing for an error that is not silent. */
function Silence({ error }: { error: ErrorDetail }) {
  const text = useWords(errorDetailTexts)
  const language = useLanguage()
  const silence = silenceOf(error)
  if (!silence) return null
  if (silence.type === 'COUNT')
    return text.COUNT(countText(silence.count, language, Number.POSITIVE_INFINITY))
  if (silence.type !== 'DATE') return text[silence.type]
  return (
    <>
      {text.DATE} <Time value={silence.until} form="moment" />
    </>
  )
}
