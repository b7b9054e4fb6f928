import { readVersion, type VersionItem } from '#contract/studio/versions.ts'
import { useRead } from '../../data/read.ts'
import { ReadingSection } from '../../data/reading-section.tsx'
import { Facts } from '../../parts/facts.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Person } from '../../parts/person.tsx'
import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { Tag } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import { AssetText } from '../assets/asset-text.tsx'
import { versionTexts } from './versions.words.ts'

/** A version beside the history: its facts, and its text. */
export function VersionSheet({
  assetId,
  version: number,
  actionsOf,
  ...sheet
}: {
  assetId: string
  version: string
  actionsOf: (version: VersionItem) => MenuEntry[]
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}) {
  const text = useWords(versionTexts)
  const { data: version, error } = useRead(readVersion, { params: { id: assetId, version: number } })
  if (!version)
    return (
      <Sheet {...sheet} title={number}>
        <ReadingSection error={error} label={text.reading} />
      </Sheet>
    )
  const { createdBy, createdAt, publishedAt, publishedBy, restoredFrom, filesCount } = version
  return (
    <Sheet
      {...sheet}
      title={version.version}
      {...(version.isCurrent && { about: <Tag kind="done">{text.active}</Tag> })}
      menu={<MoreMenu label={text.actions} groups={[{ id: 'actions', entries: actionsOf(version) }]} />}
    >
      <SheetSection>
        <Facts
          facts={[
            { term: text.changelog, value: version.changelog },
            restoredFrom !== null && { term: text.restored, value: restoredFrom },
            { term: text.author, value: <Person name={createdBy.name} /> },
            { term: text.created, value: <Time value={createdAt} form="moment" /> },
            {
              term: text.publishedOn,
              value: publishedAt === null ? text.notPublished : <Time value={publishedAt} form="moment" />,
            },
            publishedBy !== null && { term: text.publishedBy, value: <Person name={publishedBy.name} /> },
            filesCount > 0 && { term: text.files, value: text.fileCount(filesCount) },
            { term: text.description, value: version.description },
          ]}
        />
      </SheetSection>
      <SheetSection>
        <AssetText content={version} />
      </SheetSection>
    </Sheet>
  )
}
