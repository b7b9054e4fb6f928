import { Spark } from '../../charts/spark.tsx'
import type { Column } from '../../parts/grid.tsx'
import { noValue } from '../../parts/grid-column.ts'
import { countText } from '../../parts/number-text.ts'
import { Tag } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import type { Language } from '../../words/words.ts'
import { type ErrorGroupItem, placeOf, titleOf } from './error.ts'
import { ErrorSeverity, ErrorState } from './error-status.tsx'
import styles from './errors.module.css'
import { sparkValuesOf } from './hours.ts'

type Texts = Readonly<
  Record<
    'message' | 'severity' | 'application' | 'state' | 'hours' | 'count' | 'users' | 'last' | 'hasTicket',
    string
  >
> & {
  perHour: (counts: string) => string
  cameBack: (times: number) => string
  times: (count: number, shown: string) => string
}

/** The columns of the list. Beside an open error there is room for the most important ones. */
export function errorColumns(
  text: Texts,
  language: Language,
  now: number,
  shows: { isNarrow: boolean; application: boolean; state: boolean },
): Column<ErrorGroupItem>[] {
  const columns: (Column<ErrorGroupItem> & { isShown?: boolean })[] = [
    {
      id: 'message',
      title: text.message,
      width: 'minmax(200px, 4fr)',
      cell: error => <Message error={error} text={text} />,
    },
    {
      id: 'severity',
      title: text.severity,
      width: '104px',
      phone: 'below',
      cell: ({ severity }) => <ErrorSeverity severity={severity} />,
    },
    {
      id: 'state',
      title: text.state,
      width: '124px',
      isShown: shows.state,
      cell: ({ state }) => <ErrorState state={state} />,
    },
    {
      id: 'application',
      title: text.application,
      width: 'minmax(104px, 1fr)',
      isShown: shows.application && !shows.isNarrow,
      cell: ({ applicationName }) => applicationName,
    },
    {
      id: 'hours',
      title: text.hours,
      width: '116px',
      isShown: !shows.isNarrow,
      cell: ({ hours }) => {
        const values = sparkValuesOf(hours, now)
        return <Spark label={text.perHour(values.join(', '))} values={values} />
      },
    },
    {
      id: 'count',
      title: text.count,
      width: '84px',
      align: 'end',
      phone: 'belowEnd',
      cell: ({ count }) => countText(count, language, Number.POSITIVE_INFINITY),
      phoneCell: ({ count }) => text.times(count, countText(count, language, Number.POSITIVE_INFINITY)),
    },
    {
      id: 'users',
      title: text.users,
      width: '84px',
      align: 'end',
      isShown: !shows.isNarrow,
      cell: ({ usersAffected }) =>
        usersAffected === 0 ? noValue : countText(usersAffected, language, 1_000),
    },
    {
      id: 'last',
      title: text.last,
      width: '96px',
      align: 'end',
      phone: 'end',
      cell: ({ lastOccurrence }) => <Time value={lastOccurrence} />,
    },
  ]
  return columns.filter(({ isShown = true }) => isShown)
}

function Message({ error, text }: { error: ErrorGroupItem; text: Texts }) {
  return (
    <span className={styles.message}>
      <span className={styles.title}>
        <span className={styles.name}>{titleOf(error)}</span>
        <span className={styles.quiet}> {placeOf(error)}</span>
      </span>
      {error.regressionCount > 0 && (
        <Tag kind="warn" icon="retry">
          {text.cameBack(error.regressionCount)}
        </Tag>
      )}
      {error.ticketId !== null && <Tag icon="audit">{text.hasTicket}</Tag>}
    </span>
  )
}
