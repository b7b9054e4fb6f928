import type { AssetStatus } from '#contract/studio/assets.ts'
import type { IconName } from '../parts/icon.tsx'
import { Status, type StatusKind } from '../parts/status.tsx'
import { useWords } from '../words/words.ts'
import { assetValueTexts } from './asset.words.ts'

const icons: Readonly<Record<AssetStatus, { icon: IconName; kind: StatusKind }>> = {
  DRAFT: { icon: 'dashed', kind: 'plain' },
  PUBLISHED: { icon: 'done', kind: 'done' },
  ARCHIVED: { icon: 'blocked', kind: 'quiet' },
}

/** The status of an asset: an icon and a word. */
export function AssetState({ status }: { status: AssetStatus }) {
  const text = useWords(assetValueTexts)
  return <Status {...icons[status]}>{text[status]}</Status>
}
