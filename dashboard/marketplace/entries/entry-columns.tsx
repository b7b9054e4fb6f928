import { anonymousPublisher, type EntryItem } from '#contract/marketplace/entries.ts'
import type { Column } from '../../parts/grid.tsx'
import { noValue } from '../../parts/grid-column.ts'
import { Icon } from '../../parts/icon.tsx'
import { Rating } from '../../parts/stars.tsx'
import { Status, Tag } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import { marketTexts } from '../marketplace.words.ts'
import styles from './entries.module.css'
import { entryTexts } from './entry.words.ts'

type MarketTexts = (typeof marketTexts)['en']
type EntryTexts = (typeof entryTexts)['en']

/** The columns of the catalogue; `isNarrow` is the list beside the open sheet. */
export function entryColumns(market: MarketTexts, text: EntryTexts, isNarrow: boolean): Column<EntryItem>[] {
  const name: Column<EntryItem> = {
    id: 'name',
    title: market.name,
    width: isNarrow ? 'minmax(200px, 1fr)' : 'minmax(190px, 3fr)',
    cell: entry => (
      <span className={styles.name}>
        <span className={styles.nameText}>{entry.name}</span>
        {entry.featured && <Tag kind="done">{text.featured}</Tag>}
        {!isNarrow && <span className={styles.about}>{entry.description}</span>}
      </span>
    ),
  }
  const rating: Column<EntryItem> = {
    id: 'rating',
    title: market.rating,
    width: '116px',
    sort: 'TOP_RATED',
    ...(isNarrow && { phone: 'end' }),
    cell: ({ ratingAverage, ratingCount }) => <Rating average={ratingAverage} count={ratingCount} />,
  }
  const state: Column<EntryItem> = {
    id: 'state',
    title: text.state,
    width: '132px',
    phone: 'belowEnd',
    cell: entry => (entry.installed || entry.isOwn ? <EntryState entry={entry} /> : noValue),
  }
  if (isNarrow) return [name, rating, state]
  return [
    name,
    { id: 'type', title: market.type, width: '92px', phone: 'below', cell: ({ type }) => market[type] },
    {
      id: 'category',
      title: market.category,
      width: '148px',
      phone: 'end',
      cell: ({ category }) => market[category],
    },
    {
      id: 'publisher',
      title: market.publisher,
      width: 'minmax(120px, 1fr)',
      cell: ({ publisher }) => <Publisher {...publisher} />,
    },
    rating,
    {
      id: 'installs',
      title: market.installedBy,
      width: '108px',
      align: 'end',
      sort: 'MOST_DOWNLOADED',
      cell: ({ installCount }) => installCount,
    },
    {
      id: 'approved',
      title: market.approved,
      width: '104px',
      align: 'end',
      sort: 'RECENT',
      cell: ({ approvedAt }) => (approvedAt ? <Time value={approvedAt} /> : noValue),
    },
    state,
  ]
}

/** The organization behind an entry: the name that it chose, and whether an operator verified the name. */
export function Publisher({ displayName, verified }: EntryItem['publisher']) {
  const text = useWords(marketTexts)
  const name = displayName === anonymousPublisher ? text.anonymous : displayName
  return (
    <span className={styles.publisher}>
      <span className={styles.publisherName}>{name}</span>
      {verified && (
        <span className={styles.verified} title={text.verified}>
          <Icon name="done" />
          <span className={styles.spoken}>{text.verified}</span>
        </span>
      )}
    </span>
  )
}

/** That the person has a copy of the entry, or that it is theirs. */
function EntryState({ entry: { installed } }: { entry: Pick<EntryItem, 'installed'> }) {
  const text = useWords(entryTexts)
  if (installed?.updateAvailable)
    return (
      <Status icon="retry" kind="warn">
        {text.updateAvailable}
      </Status>
    )
  if (installed)
    return (
      <Status icon="done" kind="done">
        {text.installed}
      </Status>
    )
  return (
    <Status icon="person" kind="quiet">
      {text.own}
    </Status>
  )
}
