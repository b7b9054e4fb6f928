import type { ComponentType } from 'react'
import { lazy } from 'react'
import type { Language } from '../../words/words.ts'
import type { Asset } from './asset.ts'
import { UseTab } from './use-tab.tsx'

export type AssetTab = {
  /** Its name in the address. */
  id: string
  label: Readonly<Record<Language, string>>
  Content: ComponentType<{ asset: Asset }>
}

const VersionsTab = lazy(() =>
  import('../versions/versions-tab.tsx').then(tab => ({ default: tab.VersionsTab })),
)

/** The tabs of an asset after its text. */
export const assetTabs: readonly AssetTab[] = [
  { id: 'versions', label: { es: 'Versiones', en: 'Versions' }, Content: VersionsTab },
  { id: 'use', label: { es: 'Uso', en: 'Use' }, Content: UseTab },
]
