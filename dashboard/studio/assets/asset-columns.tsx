import type { Column } from '../../parts/grid.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Tag, Tags } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import type { AssetItem, AssetType } from './asset.ts'
import { AssetStatus } from './asset-status.tsx'
import styles from './assets.module.css'

type Texts = Readonly<
  Record<
    'name' | 'type' | 'status' | 'tags' | 'author' | 'used' | 'rating' | 'updated' | 'verified' | AssetType,
    string
  >
>
/** More tags do not fit in a cell. */
const mostTags = 2

/** The columns of the catalogue. Beside an open preview there is room for the most important ones. */
export function assetColumns(text: Texts, isNarrow: boolean): Column<AssetItem>[] {
  const columns: (Column<AssetItem> & { isForWide?: boolean })[] = [
    {
      id: 'name',
      title: text.name,
      width: 'minmax(180px, 3fr)',
      sort: 'name',
      sortDirection: 'ascending',
      cell: asset => <AssetName asset={asset} verified={text.verified} />,
    },
    { id: 'type', title: text.type, width: '92px', phone: 'end', cell: ({ type }) => text[type] },
    {
      id: 'status',
      title: text.status,
      width: '152px',
      phone: 'below',
      cell: asset => <AssetStatus asset={asset} />,
    },
    {
      id: 'tags',
      title: text.tags,
      width: 'minmax(120px, 1.4fr)',
      isForWide: true,
      cell: ({ tags }) => <TagsOf tags={tags} />,
    },
    {
      id: 'author',
      title: text.author,
      width: 'minmax(110px, 1fr)',
      isForWide: true,
      cell: ({ author }) => author.name,
    },
    {
      id: 'used',
      title: text.used,
      width: '72px',
      align: 'end',
      sort: 'popular',
      cell: ({ usageCount }) => usageCount,
    },
    {
      id: 'rating',
      title: text.rating,
      width: '96px',
      align: 'end',
      isForWide: true,
      cell: ({ thumbsUp, thumbsDown }) => `${thumbsUp} / ${thumbsDown}`,
    },
    {
      id: 'updated',
      title: text.updated,
      width: '92px',
      align: 'end',
      sort: 'recent',
      phone: 'belowEnd',
      cell: ({ updatedAt }) => <Time value={updatedAt} />,
    },
  ]
  return isNarrow ? columns.filter(({ isForWide }) => !isForWide) : columns
}

function AssetName({
  asset: { name, description, verified: isVerified },
  verified,
}: {
  asset: AssetItem
  verified: string
}) {
  return (
    <span className={styles.nameCell}>
      <span className={styles.name}>{name}</span>
      {isVerified && (
        <span className={styles.mark} title={verified} role="img" aria-label={verified}>
          <Icon name="check" />
        </span>
      )}
      {description !== '' && <span className={styles.summary}>{description}</span>}
    </span>
  )
}

function TagsOf({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return '–'
  return (
    <Tags isOneLine>
      {tags.slice(0, mostTags).map(tag => (
        <Tag key={tag}>{tag}</Tag>
      ))}
      {tags.length > mostTags && <span className={styles.quiet}>+{tags.length - mostTags}</span>}
    </Tags>
  )
}
