import { useState } from 'react'
import { listDepartments } from '#contract/identity/units.ts'
import type { Asset } from '#contract/studio/assets.ts'
import { createShare, listShares, removeShare, type Share } from '#contract/studio/shares.ts'
import { useCreateAction } from '../../data/create-action.ts'
import { DetailList, DetailRow } from '../../data/detail-list.tsx'
import { needErrorTexts, textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction, useList } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { late } from '../../parts/late.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Person } from '../../parts/person.tsx'
import { Tag } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { assetTexts } from '../assets/asset.words.ts'
import { canChangeShare } from './share.rules.ts'
import styles from './shares.module.css'
import { shareTexts } from './shares.words.ts'
import { WhoReads } from './who-reads.tsx'

const ShareDialog = late(() => import('./share-dialog.tsx').then(dialog => dialog.ShareDialog))

/** The readers of an asset with the reason for each, and the shares that add to them. */
export function SharesTab({ asset }: { asset: Asset }) {
  const text = useWords(shareTexts)
  const may = useMay()
  const [open, setOpen] = useState<'new' | Share>()
  const canSee = may(listShares) && asset.access !== 'READ'
  const shares = useList(listShares, { params: { id: asset.id } }, { enabled: canSee })
  const departments = useList(
    listDepartments,
    { query: { limit: 100 } },
    { enabled: asset.visibility === 'DEPARTMENT' },
  )
  const canShare = canSee && may(createShare) && asset.status !== 'ARCHIVED'
  const add = () => setOpen('new')
  useCreateAction('share-asset', text.add, text.shares, canShare && add)
  const about = asset.status === 'ARCHIVED' ? text.archived : text.about
  return (
    <div className={styles.tab}>
      <WhoReads
        asset={asset}
        departments={new Map(departments.items.map(({ id, name }) => [id, name]))}
        isLoading={departments.isLoading && asset.visibility === 'DEPARTMENT'}
      />
      {canSee ? (
        <DetailList
          {...shares}
          level={2}
          title={text.shares}
          about={<p className={styles.quiet}>{about}</p>}
          action={
            may(createShare) && (
              <Button
                size="small"
                icon="plus"
                shortcut="c"
                isDisabled={!canShare}
                onPress={add}
                onHoverStart={ShareDialog.preload}
                onFocus={ShareDialog.preload}
              >
                {text.add}
              </Button>
            )
          }
          rows={shares.isLoading ? undefined : shares.items}
          more={shares}
          rowKey={({ id }) => id}
          empty={text.empty}
          row={share => (
            <ShareRow share={share} asset={asset} canShare={canShare} onChange={() => setOpen(share)} />
          )}
        />
      ) : (
        may(listShares) && <p className={styles.quiet}>{text.hidden}</p>
      )}
      {open && (
        <ShareDialog
          asset={asset}
          {...(open !== 'new' && { share: open })}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  )
}

const icons: Readonly<Record<Share['granteeType'], IconName | undefined>> = {
  USER: undefined,
  GROUP: 'people',
  DEPARTMENT: 'collections',
}

function ShareRow({
  share,
  asset,
  canShare,
  onChange,
}: {
  share: Share
  asset: Asset
  canShare: boolean
  onChange: () => void
}) {
  const text = useWords(shareTexts)
  const values = useWords(assetTexts)
  const revoke = useRevoke(asset.id)
  const icon = icons[share.granteeType]
  const isAbove = !canChangeShare(asset.access, share.accessLevel)
  const why = isAbove ? { isDisabled: true, hint: text.above } : {}
  return (
    <DetailRow
      name={
        <span className={styles.who}>
          {icon ? (
            <Icon name={icon} className={styles.icon} />
          ) : (
            <Person name={share.granteeName} isNameHidden />
          )}
          {share.granteeName}
        </span>
      }
      about={
        <>
          {text[share.granteeType]} · {text.by(share.sharedBy.name)}
        </>
      }
    >
      {share.expiresAt !== null && (
        <span className={styles.until}>
          {text.until} <Time value={share.expiresAt} form="date" />
        </span>
      )}
      <Tag>{values[share.accessLevel]}</Tag>
      {canShare && (
        <MoreMenu
          label={text.actions(share.granteeName)}
          size="small"
          groups={[
            {
              id: 'actions',
              entries: [
                { id: 'change', label: text.change, icon: 'edit', onAction: onChange, ...why },
                {
                  id: 'revoke',
                  label: text.revoke,
                  icon: 'close',
                  isDangerous: true,
                  onAction: () => void revoke(share),
                  ...why,
                },
              ],
            },
          ]}
        />
      )}
    </DetailRow>
  )
}

/** Revokes a share; a toast grants it again. */
function useRevoke(assetId: string): (share: Share) => Promise<void> {
  const text = useWords(shareTexts)
  const language = useLanguage()
  const remove = useAction(removeShare, { refreshes: [listShares] })
  const create = useAction(createShare, { refreshes: [listShares] })
  async function attempt(run: () => Promise<unknown>): Promise<boolean> {
    try {
      await run()
      return true
    } catch (error) {
      await needErrorTexts(language)
      showToast({ kind: 'failed', text: textOfError(error, language) })
      return false
    }
  }
  return async ({ id, granteeType, granteeId, granteeName, accessLevel, expiresAt }) => {
    const isRevoked = await attempt(() => remove.mutateAsync({ params: { id: assetId, shareId: id } }))
    if (!isRevoked) return
    const body = { granteeType, granteeId, accessLevel, expiresAt }
    const undo = () => void attempt(() => create.mutateAsync({ params: { id: assetId }, body }))
    showToast({ text: text.revoked(granteeName), action: { label: text.undo, onPress: undo } })
  }
}
