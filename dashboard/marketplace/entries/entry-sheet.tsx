import { type Entry, readEntry } from '#contract/marketplace/entries.ts'
import { useRead } from '../../data/read.ts'
import { ReadingSection } from '../../data/reading-section.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Sheet, type SheetProps } from '../../parts/sheet.tsx'
import { useWords } from '../../words/words.ts'
import { marketTexts } from '../marketplace.words.ts'
import { entryTexts } from './entry.words.ts'
import { EntryAbout } from './entry-about.tsx'
import { useEntryActions } from './use-entry-actions.tsx'

type EntrySheetProps = Pick<SheetProps, 'onClose' | 'onPrevious' | 'onNext'> & {
  id: string
  pageHref: string
}

/** An entry beside the catalogue. */
export function EntrySheet({ id, ...sheet }: EntrySheetProps) {
  const text = useWords(entryTexts)
  const market = useWords(marketTexts)
  const read = useRead(readEntry, { params: { id } })
  if (read.data) return <LoadedSheet entry={read.data} {...sheet} />
  return (
    <Sheet {...sheet} title={text.entry}>
      <ReadingSection error={read.error} label={market.reading} />
    </Sheet>
  )
}

function LoadedSheet({ entry, ...sheet }: Omit<EntrySheetProps, 'id'> & { entry: Entry }) {
  const text = useWords(entryTexts)
  const market = useWords(marketTexts)
  const { primary, menu, dialogs } = useEntryActions(entry)
  return (
    <>
      <Sheet
        {...sheet}
        title={entry.name}
        about={`${market[entry.type]} ${entry.version}`}
        actions={primary}
        menu={<MoreMenu label={market.actions} groups={[{ id: 'actions', entries: menu }]} />}
        footer={<ButtonLink href={sheet.pageHref}>{text.read}</ButtonLink>}
      >
        <EntryAbout entry={entry} />
      </Sheet>
      {dialogs}
    </>
  )
}
