import { useState } from 'react'
import { publishAsset } from '#contract/studio/lifecycle.ts'
import { rollbackVersion } from '#contract/studio/versions.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { useMay } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox, TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { versionTexts } from './versions.words.ts'

/** Restores the content of an earlier version as a new one. */
export function RollbackDialog({
  assetId,
  version,
  next,
  onClose,
}: {
  assetId: string
  version: string
  /** The number that the new version gets. */
  next: string
  onClose: () => void
}) {
  const text = useWords(versionTexts)
  const may = useMay()
  const rollback = useAction(rollbackVersion)
  const [isPublished, setPublished] = useState(false)
  return (
    <Dialog title={text.rollbackTitle(version)} isOpen onClose={onClose} size="small">
      <ActionForm
        onSubmit={async ({ changelog = '' }) => {
          const restored = await rollback.mutateAsync({
            params: { id: assetId, version },
            body: {
              ...(changelog.trim() && { changelog: changelog.trim() }),
              ...(isPublished && { publish: true }),
            },
          })
          showToast({ text: text.rolledBack(version, restored.version) })
          onClose()
        }}
      >
        {({ isBusy }) => (
          <>
            <p>{text.rollbackAbout(version, next)}</p>
            <TextField {...fieldOf(rollbackVersion, 'changelog')} label={text.rollbackChangelog} rows={2} />
            {may(publishAsset) && (
              <Checkbox isSelected={isPublished} onChange={setPublished}>
                {text.rollbackPublish}
              </Checkbox>
            )}
            <FormActions onLeave={onClose} action={text.rollbackAction} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
