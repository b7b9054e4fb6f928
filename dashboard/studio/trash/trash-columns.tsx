import type { AssetType } from '#contract/studio/assets.ts'
import type { DeletedAsset } from '#contract/studio/lifecycle.ts'
import { currentTime } from '../../parts/clock.ts'
import type { Column } from '../../parts/grid.tsx'
import { noValue } from '../../parts/grid-column.ts'
import { Time } from '../../parts/time.tsx'

const dayMs = 86_400_000

type Texts = Readonly<
  Record<'name' | 'type' | 'version' | 'author' | 'deletedBy' | 'deleted' | 'left' | 'lessThanDay', string>
> & { days: (count: number) => string }

/** The columns of deleted assets. */
export function trashColumns(
  text: Texts,
  values: Readonly<Record<AssetType, string>>,
): Column<DeletedAsset>[] {
  return [
    { id: 'name', title: text.name, width: 'minmax(160px, 2fr)', cell: ({ name }) => name },
    { id: 'type', title: text.type, width: '96px', phone: 'below', cell: ({ type }) => values[type] },
    { id: 'version', title: text.version, width: '80px', cell: ({ version }) => version },
    { id: 'author', title: text.author, width: 'minmax(100px, 1fr)', cell: ({ author }) => author.name },
    {
      id: 'deletedBy',
      title: text.deletedBy,
      width: 'minmax(100px, 1fr)',
      cell: ({ deletedBy }) => deletedBy?.name ?? noValue,
    },
    {
      id: 'deleted',
      title: text.deleted,
      width: '96px',
      align: 'end',
      phone: 'end',
      cell: ({ deletedAt }) => <Time value={deletedAt} />,
    },
    {
      id: 'left',
      title: text.left,
      width: '128px',
      align: 'end',
      phone: 'belowEnd',
      cell: ({ restorableUntil }) => {
        const days = Math.ceil((Date.parse(restorableUntil) - currentTime()) / dayMs)
        return days <= 1 ? text.lessThanDay : text.days(days)
      },
    },
  ]
}
