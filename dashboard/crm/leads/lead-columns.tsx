import type { Column } from '../../parts/grid.tsx'
import { noValue } from '../../parts/grid-column.ts'
import { Time } from '../../parts/time.tsx'
import { type Lead, nameOfLead } from './lead.ts'
import { LeadStatus, LeadTemperature } from './lead-status.tsx'
import styles from './leads.module.css'

type Titles = Record<
  'name' | 'status' | 'temperature' | 'score' | 'owner' | 'updated' | 'unknownPerson',
  string
>

/** The columns of the list. Beside an open lead there is room for the most important ones. */
export function leadColumns(
  text: Titles,
  owners: ReadonlyMap<string, string>,
  isNarrow: boolean,
): Column<Lead>[] {
  const columns: (Column<Lead> & { isForWide?: boolean })[] = [
    {
      id: 'name',
      title: text.name,
      width: 'minmax(160px, 3fr)',
      sort: { ascending: 'lastName asc', descending: 'lastName desc' },
      cell: lead => <NameOfLead lead={lead} />,
    },
    {
      id: 'status',
      title: text.status,
      width: '144px',
      phone: 'below',
      cell: ({ status }) => <LeadStatus status={status} />,
    },
    {
      id: 'temperature',
      title: text.temperature,
      width: '112px',
      phone: 'belowEnd',
      isForWide: true,
      cell: ({ temperature }) => temperature && <LeadTemperature temperature={temperature} />,
    },
    {
      id: 'owner',
      title: text.owner,
      width: 'minmax(120px, 1fr)',
      isForWide: true,
      cell: ({ assigneeId }) =>
        assigneeId === null ? noValue : (owners.get(assigneeId) ?? text.unknownPerson),
    },
    {
      id: 'score',
      title: text.score,
      width: '76px',
      align: 'end',
      sort: { ascending: 'score asc', descending: 'score desc' },
      cell: ({ score }) => score ?? noValue,
    },
    {
      id: 'updated',
      title: text.updated,
      width: '88px',
      align: 'end',
      phone: 'end',
      sort: { ascending: 'updatedAt asc', descending: 'updatedAt desc' },
      cell: ({ updatedAt }) => <Time value={updatedAt} />,
    },
  ]
  return columns.filter(({ isForWide }) => !isNarrow || !isForWide)
}

function NameOfLead({ lead }: { lead: Lead }) {
  const name = nameOfLead(lead)
  return (
    <>
      <span className={styles.name}>{name}</span>
      {lead.company !== null && lead.company !== name && (
        <span className={styles.quiet}> {lead.company}</span>
      )}
    </>
  )
}
