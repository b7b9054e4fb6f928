import { useState } from 'react'
import { Link } from 'react-aria-components'
import { createLink, listByEntity, removeLink } from '#contract/studio/links.ts'
import { DetailList, DetailRow, type HeadingLevel } from '../../data/detail-list.tsx'
import { useMay } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { late } from '../../parts/late.tsx'
import { Tag } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import { useAssetHref } from '../asset-href.ts'
import { assetTexts } from '../assets/asset.words.ts'
import { linkTexts } from './links.words.ts'
import { useUnlink } from './links-tab.tsx'

const LinkAssetsDialog = late(() =>
  import('./link-assets-dialog.tsx').then(dialog => dialog.LinkAssetsDialog),
)

/** How many of the newest links are shown at first. */
const shownLinks = 10

type EntityAssetsProps = {
  /** How links name the kind of the record: `lead`, `client`, `error`. */
  entityType: string
  entityId: string
  /** The level of the heading: one below that of the record. */
  level: HeadingLevel
}

/** The assets that are linked to a record, on the screen of the record. Nothing for people who do not see the studio. */
export function EntityAssets(props: EntityAssetsProps) {
  return useMay()(listByEntity) ? <AssetsOf {...props} /> : null
}

function AssetsOf({ entityType, entityId, level }: EntityAssetsProps) {
  const text = useWords(linkTexts)
  const values = useWords(assetTexts)
  const may = useMay()
  const assetHref = useAssetHref()
  const unlink = useUnlink()
  const [isAdding, setAdding] = useState(false)
  const links = useList(listByEntity, { query: { entityType, entityId, limit: shownLinks } })
  return (
    <>
      <DetailList
        {...links}
        level={level}
        title={text.assets}
        action={
          may(createLink) && (
            <Button
              kind="quiet"
              size="small"
              icon="plus"
              onPress={() => setAdding(true)}
              onHoverStart={LinkAssetsDialog.preload}
              onFocus={LinkAssetsDialog.preload}
            >
              {text.addAsset}
            </Button>
          )
        }
        rows={links.isLoading ? undefined : links.items}
        more={links}
        rowKey={({ linkId }) => linkId}
        empty={text.noAssets}
        row={({ linkId, asset, note, linkedAt }) => (
          <DetailRow
            name={<Link href={assetHref(asset.id)}>{asset.name}</Link>}
            about={note ?? asset.description}
          >
            <Tag>{asset.status === 'ARCHIVED' ? text.archivedMark : values[asset.type]}</Tag>
            <Time value={linkedAt} />
            {may(removeLink) && asset.access !== 'READ' && asset.status !== 'ARCHIVED' && (
              <IconButton
                icon="close"
                size="small"
                label={text.unlink(asset.name)}
                onPress={() => void unlink(asset.id, { id: linkId, entityType, entityId, note })}
              />
            )}
          </DetailRow>
        )}
      />
      {isAdding && (
        <LinkAssetsDialog
          entityType={entityType}
          entityId={entityId}
          linked={links.items.map(({ asset }) => asset.id)}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}
