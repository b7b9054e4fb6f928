import type { AssetStatus as StatusOfAsset } from '#contract/studio/assets.ts'
import type { IconName } from '../../parts/icon.tsx'
import { Status, type StatusKind } from '../../parts/status.tsx'
import { useWords } from '../../words/words.ts'
import { type AnyAsset, isUnpublished } from './asset.ts'
import { assetTexts } from './asset.words.ts'

const icons: Readonly<Record<StatusOfAsset, { icon: IconName; kind?: StatusKind }>> = {
  DRAFT: { icon: 'dashed' },
  PUBLISHED: { icon: 'done', kind: 'done' },
  ARCHIVED: { icon: 'lock', kind: 'quiet' },
}

/** The status of an asset; of a published one that has a newer version, which one waits. */
export function AssetStatus({
  asset,
}: {
  asset: Pick<AnyAsset, 'status' | 'currentVersion' | 'publishedVersion'>
}) {
  const text = useWords(assetTexts)
  const { status, currentVersion } = asset
  if (status === 'PUBLISHED' && isUnpublished(asset))
    return <Status icon="half">{text.unpublished(currentVersion.version)}</Status>
  return <Status {...icons[status]}>{text[status]}</Status>
}
