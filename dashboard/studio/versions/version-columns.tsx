import type { VersionItem } from '#contract/studio/versions.ts'
import type { Column } from '../../parts/grid.tsx'
import { noValue } from '../../parts/grid-column.ts'
import { Status, Tag, Tags } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import styles from './versions.module.css'

type Texts = Readonly<
  Record<
    | 'version'
    | 'changelog'
    | 'author'
    | 'created'
    | 'files'
    | 'state'
    | 'active'
    | 'published'
    | 'notPublished',
    string
  >
> & { restoredFrom: (version: string) => string }

/** The columns of the history. Beside an open version there is room for the most important ones. */
export function versionColumns(text: Texts, isNarrow: boolean): Column<VersionItem>[] {
  const columns: (Column<VersionItem> & { isForWide?: boolean })[] = [
    {
      id: 'version',
      title: text.version,
      width: '168px',
      cell: ({ version, isCurrent }) => (
        <span className={styles.versionCell}>
          <span className={styles.number}>{version}</span>
          {isCurrent && <Tag kind="done">{text.active}</Tag>}
        </span>
      ),
    },
    {
      id: 'changelog',
      title: text.changelog,
      width: 'minmax(160px, 3fr)',
      phone: 'below',
      cell: version => <Changelog version={version} restoredFrom={text.restoredFrom} />,
    },
    {
      id: 'state',
      title: text.state,
      width: '136px',
      phone: 'end',
      cell: ({ publishedAt }) =>
        publishedAt === null ? (
          <Status icon="dashed" kind="quiet">
            {text.notPublished}
          </Status>
        ) : (
          <Status icon="done" kind="done">
            {text.published}
          </Status>
        ),
    },
    {
      id: 'files',
      title: text.files,
      width: '84px',
      align: 'end',
      isForWide: true,
      cell: ({ filesCount }) => filesCount || noValue,
    },
    {
      id: 'author',
      title: text.author,
      width: 'minmax(110px, 1fr)',
      isForWide: true,
      cell: ({ createdBy }) => createdBy.name,
    },
    {
      id: 'created',
      title: text.created,
      width: '92px',
      align: 'end',
      phone: 'belowEnd',
      cell: ({ createdAt }) => <Time value={createdAt} />,
    },
  ]
  return isNarrow ? columns.filter(({ isForWide }) => !isForWide) : columns
}

function Changelog({
  version: { changelog, restoredFrom },
  restoredFrom: restoredText,
}: {
  version: VersionItem
  restoredFrom: (version: string) => string
}) {
  if (restoredFrom === null) return changelog ?? '–'
  return (
    <Tags isOneLine>
      <Tag>{restoredText(restoredFrom)}</Tag>
      {changelog && <span className={styles.cut}>{changelog}</span>}
    </Tags>
  )
}
