import { publishAsset } from '#contract/studio/lifecycle.ts'
import { diffVersions } from '#contract/studio/versions.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { useAction, useRead } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Skeleton } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { VersionChanges } from '../versions/version-changes.tsx'
import type { AnyAsset } from './asset.ts'
import { assetTexts } from './asset.words.ts'
import { assetActionTexts } from './asset-action.words.ts'
import styles from './assets.module.css'

/** Asks before the active version is published, and shows what changes for those who use the asset. */
export function PublishDialog({ asset, onClose }: { asset: AnyAsset; onClose: () => void }) {
  const text = useWords(assetActionTexts)
  const { id, name, publishedVersion, currentVersion } = asset
  const { version } = currentVersion
  const publish = useAction(publishAsset)
  return (
    <Dialog
      title={text.publishTitle(name, version)}
      isOpen
      onClose={onClose}
      size={publishedVersion === null ? 'small' : 'wide'}
    >
      <ActionForm
        onSubmit={async () => {
          const published = await publish.mutateAsync({ params: { id } })
          showToast({ text: text.published(name, published.publishedVersion ?? version) })
          onClose()
        }}
      >
        {({ isBusy }) => (
          <>
            <p>
              {publishedVersion === null ? text.publishFirst : text.publishAbout(publishedVersion, version)}
            </p>
            {publishedVersion !== null && <Changes id={id} from={publishedVersion} to={version} />}
            <FormActions onLeave={onClose} action={text.publishAction(version)} isBusy={isBusy} autoFocus />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

function Changes({ id, from, to }: { id: string; from: string; to: string }) {
  const { reading } = useWords(assetTexts)
  const { data } = useRead(diffVersions, { params: { id, a: from, b: to } })
  return (
    <div className={styles.changes}>
      {data ? <VersionChanges difference={data} /> : <Skeleton rows={4} label={reading} />}
    </div>
  )
}
