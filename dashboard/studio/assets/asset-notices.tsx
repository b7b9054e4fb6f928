import { publishAsset, unarchiveAsset } from '#contract/studio/lifecycle.ts'
import { diffVersions } from '#contract/studio/versions.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useAction, useRead } from '../../data/read.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { DifferenceCount } from '../../parts/difference.tsx'
import { Notice } from '../../parts/states.tsx'
import { useWords } from '../../words/words.ts'
import { type Asset, assetHref, canEdit, isUnpublished } from './asset.ts'
import { assetPageTexts } from './asset-page.words.ts'
import styles from './assets.module.css'

/** Above the text: that it is archived, or that its active version is not the published one, and what differs. */
export function AssetNotices({ asset }: { asset: Asset }) {
  const text = useWords(assetPageTexts)
  if (asset.status === 'ARCHIVED') return <Archived asset={asset} />
  if (!isUnpublished(asset)) return null
  if (asset.publishedVersion === null)
    return <Notice>{text.neverPublished(asset.currentVersion.version)}</Notice>
  return <Unpublished asset={asset} former={asset.publishedVersion} />
}

function Archived({ asset: { id, access } }: { asset: Asset }) {
  const text = useWords(assetPageTexts)
  const may = useMay()
  const unarchive = useAction(unarchiveAsset)
  return (
    <Notice kind="warn">
      <span className={styles.noticeLine}>
        {text.archived}
        {may(unarchiveAsset) && access === 'ADMIN' && (
          <Button
            size="small"
            isBusy={unarchive.isPending}
            onPress={() => unarchive.mutate({ params: { id } })}
          >
            {text.unarchive}
          </Button>
        )}
      </span>
    </Notice>
  )
}

function Unpublished({ asset, former }: { asset: Asset; former: string }) {
  const text = useWords(assetPageTexts)
  const { address } = useOrganization()
  const { version } = asset.currentVersion
  const { data } = useRead(diffVersions, { params: { id: asset.id, a: former, b: version } })
  const query = new URLSearchParams({ tab: 'versions', from: former, to: version })
  return (
    <Notice>
      <span className={styles.noticeLine}>
        {text.notPublished(version, former)}
        {data?.bodyMarkdown && <DifferenceCount {...data.bodyMarkdown} />}
        <ButtonLink size="small" href={`${assetHref(address, asset.id)}?${query}`}>
          {text.whatChanged}
        </ButtonLink>
      </span>
    </Notice>
  )
}

/** Whether the person may publish the active version now. */
export function useMayPublish(): (asset: Asset) => boolean {
  const may = useMay()
  return asset => may(publishAsset) && canEdit(asset) && isUnpublished(asset) && asset.status !== 'ARCHIVED'
}
