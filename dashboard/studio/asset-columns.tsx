import type { AssetItem, AssetType } from '#contract/studio/assets.ts'
import type { Column } from '../parts/grid.tsx'
import { Time } from '../parts/time.tsx'
import { AssetState } from './asset-state.tsx'

type Texts = Readonly<Record<'name' | 'type' | 'status' | 'author' | 'uses' | 'updated', string>>

/** The columns of a list of assets. */
export function assetColumns(text: Texts, values: Readonly<Record<AssetType, string>>): Column<AssetItem>[] {
  return [
    { id: 'name', title: text.name, width: 'minmax(160px, 2fr)', cell: ({ name }) => name },
    { id: 'type', title: text.type, width: '96px', phone: 'below', cell: ({ type }) => values[type] },
    {
      id: 'status',
      title: text.status,
      width: '120px',
      phone: 'belowEnd',
      cell: ({ status }) => <AssetState status={status} />,
    },
    { id: 'author', title: text.author, width: 'minmax(100px, 1fr)', cell: ({ author }) => author.name },
    { id: 'uses', title: text.uses, width: '64px', align: 'end', cell: ({ usageCount }) => usageCount },
    {
      id: 'updated',
      title: text.updated,
      width: '96px',
      align: 'end',
      phone: 'end',
      cell: ({ updatedAt }) => <Time value={updatedAt} />,
    },
  ]
}
