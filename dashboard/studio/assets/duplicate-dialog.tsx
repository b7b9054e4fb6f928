import { useNavigate } from '@tanstack/react-router'
import { duplicateAsset } from '#contract/studio/assets.ts'
import { studioLimits } from '#contract/studio/limits.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { useOrganization } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { type AnyAsset, assetHref } from './asset.ts'
import { assetActionTexts } from './asset-action.words.ts'

/** Duplicates an asset under a name, and shows the copy. */
export function DuplicateDialog({ asset: { id, name }, onClose }: { asset: AnyAsset; onClose: () => void }) {
  const text = useWords(assetActionTexts)
  const navigate = useNavigate()
  const { address } = useOrganization()
  const duplicate = useAction(duplicateAsset)
  return (
    <Dialog title={text.duplicateTitle(name)} isOpen onClose={onClose} size="small">
      <ActionForm
        onSubmit={async values => {
          const copy = await duplicate.mutateAsync({
            params: { id },
            body: { name: (values.name ?? '').trim() },
          })
          showToast({ text: text.duplicated(copy.name) })
          onClose()
          await navigate({ to: assetHref(address, copy.id) })
        }}
      >
        {({ isBusy }) => (
          <>
            <p>{text.duplicateAbout}</p>
            <TextField
              {...fieldOf(duplicateAsset, 'name')}
              label={text.newName}
              isRequired
              defaultValue={text.duplicateName(name).slice(0, studioLimits.assetName)}
              autoComplete="off"
            />
            <FormActions onLeave={onClose} action={text.duplicateAction} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
