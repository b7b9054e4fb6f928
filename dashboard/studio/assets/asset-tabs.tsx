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
const FilesTab = lazy(() => import('../files/files-tab.tsx').then(tab => ({ default: tab.FilesTab })))
const LinksTab = lazy(() => import('../links/links-tab.tsx').then(tab => ({ default: tab.LinksTab })))
const SharesTab = lazy(() => import('../shares/shares-tab.tsx').then(tab => ({ default: tab.SharesTab })))

/** The tabs of an asset after its text. */
export const assetTabs: readonly AssetTab[] = [
  { id: 'versions', label: { es: 'Versiones', en: 'Versions' }, Content: VersionsTab },
  { id: 'files', label: { es: 'Archivos', en: 'Files' }, Content: FilesTab },
  { id: 'links', label: { es: 'Enlaces', en: 'Links' }, Content: LinksTab },
  { id: 'shares', label: { es: 'Acceso', en: 'Access' }, Content: SharesTab },
  { id: 'use', label: { es: 'Uso', en: 'Use' }, Content: UseTab },
]
