import { useState } from 'react'
import type { AssetItem } from '#contract/studio/assets.ts'
import { studioLimits } from '#contract/studio/limits.ts'
import { createLink, listByEntity, listLinks } from '#contract/studio/links.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { lacksTexts } from '../../data/lacks.words.ts'
import { useAction } from '../../data/read.ts'
import { IconButton } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Reason } from '../../parts/reason.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { AssetField } from '../assets/asset-field.tsx'
import styles from './links.module.css'
import { linkTexts } from './links.words.ts'

/** Links assets to a record: those that the person may edit. */
export function LinkAssetsDialog({
  entityType,
  entityId,
  linked,
  onClose,
}: {
  entityType: string
  entityId: string
  /** The ids of assets that are linked already. */
  linked: readonly string[]
  onClose: () => void
}) {
  const text = useWords(linkTexts)
  const lacks = useWords(lacksTexts)
  const [assets, setAssets] = useState<readonly AssetItem[]>([])
  const create = useAction(createLink, { refreshes: [listByEntity, listLinks] })
  const chosen = new Set([...linked, ...assets.map(({ id }) => id)])
  async function send({ note = '' }: Readonly<Record<string, string>>): Promise<void> {
    const body = { entityType, entityId, ...(note.trim() !== '' && { note: note.trim() }) }
    for (const asset of assets) {
      await create.mutateAsync({ params: { id: asset.id }, body })
      // what is linked stays linked when a later one fails
      setAssets(waiting => waiting.filter(other => other !== asset))
    }
    showToast({ text: text.linked })
    onClose()
  }
  return (
    <Dialog title={text.addAssetTitle} isOpen onClose={onClose}>
      <ActionForm lacks={assets.length === 0 && lacks.assets} onSubmit={send}>
        {({ isBusy }) => (
          <>
            {assets.length > 0 && (
              <ul className={styles.chosen} aria-label={text.chosen(assets.length)}>
                {assets.map(asset => (
                  <li key={asset.id} className={styles.chosenItem}>
                    <span className={styles.chosenName}>{asset.name}</span>
                    <IconButton
                      icon="close"
                      size="small"
                      label={text.takeAway(asset.name)}
                      onPress={() => setAssets(assets.filter(other => other !== asset))}
                    />
                  </li>
                ))}
              </ul>
            )}
            <AssetField
              label={text.asset}
              hint={text.assetHint}
              isOffered={({ id, access, status }) =>
                !chosen.has(id) && access !== 'READ' && status !== 'ARCHIVED'
              }
              onChoose={asset => setAssets([...assets, asset])}
            />
            <Reason
              name="note"
              label={text.note}
              hint={text.noteHint}
              maxLength={studioLimits.linkNote}
              rows={2}
            />
            <FormActions onLeave={onClose} action={text.link} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
