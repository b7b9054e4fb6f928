import type { EntryStatus as StatusOfEntry } from '#contract/marketplace/entries.ts'
import type { IconName } from '../../parts/icon.tsx'
import { Status, type StatusKind } from '../../parts/status.tsx'
import { useWords } from '../../words/words.ts'
import { marketTexts } from '../marketplace.words.ts'

const icons: Readonly<Record<StatusOfEntry, { icon: IconName; kind?: StatusKind }>> = {
  PENDING: { icon: 'dashed' },
  UNDER_REVIEW: { icon: 'half' },
  APPROVED: { icon: 'done', kind: 'done' },
  REJECTED: { icon: 'failed', kind: 'danger' },
  ARCHIVED: { icon: 'blocked', kind: 'quiet' },
}

/** The status of an entry or of a release: an icon and a word. */
export function EntryStatus({ status }: { status: StatusOfEntry }) {
  const text = useWords(marketTexts)
  return <Status {...icons[status]}>{text[status]}</Status>
}
