import { useState } from 'react'
import type { AssetItem } from '#contract/studio/assets.ts'
import type { Collection } from '#contract/studio/collections.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { lacksTexts } from '../../data/lacks.words.ts'
import { IconButton } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { useWords } from '../../words/words.ts'
import { AssetField } from '../assets/asset-field.tsx'
import { CollectionField } from './collection-field.tsx'
import styles from './collections.module.css'
import { collectionDialogTexts } from './collections.words.ts'
import { useFiling } from './use-filing.ts'

/** Adds selected assets to a collection, on every screen that lists assets. */
export function AddToCollectionDialog({
  assets,
  onClose,
}: {
  assets: readonly AssetItem[]
  onClose: () => void
}) {
  const text = useWords(collectionDialogTexts)
  const lacks = useWords(lacksTexts)
  const { fileInto } = useFiling()
  const [into, setInto] = useState<Collection | null>(null)
  return (
    <Dialog title={text.fileTitle(assets.length)} isOpen onClose={onClose} size="small">
      <ActionForm
        lacks={!into && lacks.collection}
        onSubmit={async () => {
          if (!into) return
          onClose()
          await fileInto(assets, into)
        }}
      >
        {() => (
          <>
            <CollectionField label={text.into} value={into?.id} onChange={setInto} />
            <FormActions onLeave={onClose} action={text.fileAction} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** Finds assets and adds them to the collection that is open. */
export function AddAssetsDialog({ collection, onClose }: { collection: Collection; onClose: () => void }) {
  const text = useWords(collectionDialogTexts)
  const lacks = useWords(lacksTexts)
  const { fileInto } = useFiling()
  const [assets, setAssets] = useState<readonly AssetItem[]>([])
  const chosen = new Set(assets.map(({ id }) => id))
  return (
    <Dialog title={text.addTitle(collection.name)} isOpen onClose={onClose}>
      <ActionForm
        lacks={assets.length === 0 && lacks.assets}
        onSubmit={async () => {
          if (assets.length === 0) return
          onClose()
          await fileInto(assets, collection)
        }}
      >
        {() => (
          <>
            {assets.length > 0 && (
              <ul aria-label={text.chosen} className={styles.chosen}>
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
              label={text.find}
              hint={text.findHint}
              isOffered={({ id, collectionIds }) => !chosen.has(id) && !collectionIds.includes(collection.id)}
              onChoose={asset => setAssets([...assets, asset])}
            />
            <FormActions onLeave={onClose} action={text.addAction(assets.length)} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
