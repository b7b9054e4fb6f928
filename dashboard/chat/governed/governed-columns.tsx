import type { Column } from '../../parts/grid.tsx'
import { noValue } from '../../parts/grid-column.ts'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import styles from './governed.module.css'
import type { governedTexts } from './governed.words.ts'
import type { GovernedChannel } from './use-governed.ts'

type Texts = (typeof governedTexts)['en']

/** The columns of the list; `isNarrow` is the list beside the open sheet. */
export function governedColumns(text: Texts, isNarrow: boolean): Column<GovernedChannel>[] {
  const columns: Column<GovernedChannel>[] = [
    { id: 'name', title: text.name, width: 'minmax(160px, 1.4fr)', cell: ({ name }) => name },
    {
      id: 'owner',
      title: text.owner,
      width: '150px',
      phone: 'end',
      cell: ({ hasOwner }) =>
        hasOwner ? (
          <span className={styles.quiet}>{text.hasOwner}</span>
        ) : (
          <Status icon="errors" kind="warn">
            {text.ownerless}
          </Status>
        ),
    },
    {
      id: 'role',
      title: text.role,
      width: '130px',
      phone: 'below',
      cell: ({ role }) => (role ? text[role] : <span className={styles.quiet}>{text.notIn}</span>),
    },
  ]
  if (isNarrow) return columns
  return [
    ...columns,
    {
      id: 'description',
      title: text.description,
      width: 'minmax(160px, 2fr)',
      cell: ({ description }) => description ?? noValue,
    },
    { id: 'type', title: text.type, width: '100px', cell: ({ type }) => typeText(type, text) },
    {
      id: 'last',
      title: text.last,
      width: '130px',
      align: 'end',
      phone: 'belowEnd',
      cell: ({ lastMessageAt }) => (lastMessageAt ? <Time value={lastMessageAt} /> : noValue),
    },
  ]
}

export function typeText(type: GovernedChannel['type'], text: Texts): string {
  return type === 'GROUP' ? text.GROUP : text.CHANNEL
}
