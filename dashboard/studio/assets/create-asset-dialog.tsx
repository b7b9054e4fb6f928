import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type AssetType, assetTypes, createAsset } from '#contract/studio/assets.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { useDraft } from '../../data/drafts.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { RadioGroup } from '../../parts/radio-group.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { assetHref } from './asset.ts'
import { assetTexts } from './asset.words.ts'
import { assetFormTexts } from './asset-form.words.ts'

type Values = { type: AssetType; name: string; description: string }

/** Creates an asset and opens its editor. Input that was not sent comes back when the dialog opens again. */
export function CreateAssetDialog({ onClose }: { onClose: () => void }) {
  const draft = useDraft<typeof createAsset, Partial<Values>>(createAsset)
  return draft.isLoaded ? <CreateAssetForm draft={draft} onClose={onClose} /> : null
}

function CreateAssetForm({
  draft,
  onClose,
}: {
  draft: ReturnType<typeof useDraft<typeof createAsset, Partial<Values>>>
  onClose: () => void
}) {
  const text = useWords(assetFormTexts)
  const fields = useWords(assetTexts)
  const navigate = useNavigate()
  const { address } = useOrganization()
  const create = useAction(createAsset)
  const [values, setValues] = useState<Values>({
    type: draft.values?.type ?? 'PROMPT',
    name: draft.values?.name ?? '',
    description: draft.values?.description ?? '',
  })
  function change(changed: Partial<Values>): void {
    const next = { ...values, ...changed }
    setValues(next)
    draft.save(next)
  }
  async function send(): Promise<void> {
    const { type, name, description } = values
    const { id } = await create.mutateAsync({
      body: { type, name: name.trim(), ...(description.trim() && { description: description.trim() }) },
    })
    draft.clear()
    showToast({ text: text.created(name.trim()) })
    onClose()
    await navigate({ to: assetHref(address, id), search: { edit: true } })
  }
  return (
    <Dialog title={text.createTitle} isOpen onClose={onClose} keepsInput>
      <ActionForm onSubmit={send}>
        {({ isBusy }) => (
          <>
            <TextField
              {...fieldOf(createAsset, 'name')}
              label={fields.name}
              value={values.name}
              onChange={name => change({ name })}
              autoComplete="off"
            />
            <RadioGroup
              label={fields.type}
              hint={text.typeHint}
              options={assetTypes.map(value => ({
                value,
                label: fields[value],
                hint: text[`about${value}`],
              }))}
              value={values.type}
              onChange={type => change({ type })}
            />
            <TextField
              {...fieldOf(createAsset, 'description')}
              label={fields.description}
              hint={text.descriptionHint}
              rows={2}
              value={values.description}
              onChange={description => change({ description })}
            />
            <FormActions onLeave={onClose} action={text.createAction} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
