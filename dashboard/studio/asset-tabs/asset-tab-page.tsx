import { useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { readAsset } from '#contract/studio/assets.ts'
import { exportAsset } from '#contract/studio/packages.ts'
import { statusOf, textOfError } from '../../data/errors.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { late } from '../../parts/late.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { Tag } from '../../parts/status.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { assetValueTexts } from '../asset.words.ts'
import { FilesTab } from '../files/files-tab.tsx'
import { LinksTab } from '../links/links-tab.tsx'
import { SharesTab } from '../shares/shares-tab.tsx'
import { assetTabTexts } from './asset-tabs.words.ts'

const ExportDialog = late(() => import('../transfer/export-dialog.tsx').then(dialog => dialog.ExportDialog))

const tabs = ['files', 'links', 'shares'] as const
type Tab = (typeof tabs)[number]

export const AssetFiles = () => <AssetTabPage current="files" />
export const AssetLinks = () => <AssetTabPage current="links" />
export const AssetShares = () => <AssetTabPage current="shares" />

/** One of the tabs of an asset that are not its content. */
function AssetTabPage({ current }: { current: Tab }) {
  const text = useWords(assetTabTexts)
  const values = useWords(assetValueTexts)
  const language = useLanguage()
  const may = useMay()
  const { address } = useOrganization()
  const { assetId = '' } = useParams({ strict: false })
  const { data: asset, error } = useRead(readAsset, { params: { id: assetId } })
  const [isExporting, setExporting] = useState(false)
  const base = `/o/${encodeURIComponent(address)}/studio/${encodeURIComponent(assetId)}`
  let content: ReactNode = <Skeleton rows={5} label={text.reading} />
  if (asset) {
    if (current === 'files') content = <FilesTab asset={asset} />
    else if (current === 'links') content = <LinksTab asset={asset} />
    else content = <SharesTab asset={asset} />
  } else if (error)
    content = <Problem title={statusOf(error) === 404 ? text.gone : textOfError(error, language)} />
  return (
    <Page
      title={asset?.name ?? text.asset}
      width="full"
      beside={asset && <Tag>{values[asset.type]}</Tag>}
      actions={
        asset &&
        may(exportAsset) && (
          <Button
            icon="download"
            onPress={() => setExporting(true)}
            onHoverStart={ExportDialog.preload}
            onFocus={ExportDialog.preload}
          >
            {text.export}
          </Button>
        )
      }
      below={
        <Tabs
          label={asset?.name ?? text.asset}
          current={current}
          tabs={tabs.map(id => ({ id, title: text[id], href: `${base}/${id}` }))}
        />
      }
    >
      {content}
      {isExporting && asset && <ExportDialog asset={asset} onClose={() => setExporting(false)} />}
    </Page>
  )
}
