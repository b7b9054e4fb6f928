import type { Column } from '../../parts/grid.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import type { ListedApplication } from '../application.ts'
import { ApplicationStatus } from '../application-status.tsx'
import styles from '../integrations.module.css'

type Texts = Readonly<
  Record<'name' | 'statusColumn' | 'principal' | 'keys' | 'noKeys' | 'lastUse' | 'never' | 'created', string>
> & { gone: (name: string) => string }

/** The columns of the list of applications. */
export function applicationColumns(text: Texts): Column<ListedApplication>[] {
  return [
    {
      id: 'name',
      title: text.name,
      width: 'minmax(180px, 2fr)',
      cell: ({ name, slug }) => (
        <>
          {name} <span className={styles.quiet}>{slug}</span>
        </>
      ),
    },
    {
      id: 'status',
      title: text.statusColumn,
      width: '132px',
      phone: 'end',
      cell: ({ status }) => <ApplicationStatus status={status} />,
    },
    {
      id: 'principal',
      title: text.principal,
      width: 'minmax(160px, 1.5fr)',
      phone: 'below',
      cell: ({ principal: { name, isMember } }) =>
        isMember ? (
          name
        ) : (
          <Status icon="failed" kind="danger">
            {text.gone(name)}
          </Status>
        ),
    },
    {
      id: 'keys',
      title: text.keys,
      width: '88px',
      align: 'end',
      cell: ({ liveKeys }) =>
        liveKeys === 0 ? <span className={styles.quiet}>{text.noKeys}</span> : liveKeys,
    },
    {
      id: 'lastUse',
      title: text.lastUse,
      width: '120px',
      align: 'end',
      phone: 'belowEnd',
      cell: ({ lastUsedAt }) =>
        lastUsedAt ? <Time value={lastUsedAt} /> : <span className={styles.quiet}>{text.never}</span>,
    },
    {
      id: 'created',
      title: text.created,
      width: '120px',
      align: 'end',
      cell: ({ createdAt }) => <Time value={createdAt} form="date" />,
    },
  ]
}
