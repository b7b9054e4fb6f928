import { useState } from 'react'
import {
  type Category,
  categories,
  type Entry,
  readEntry,
  submitEntry,
} from '#contract/marketplace/entries.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { codeOf } from '../../data/errors.ts'
import { useAction, useRead } from '../../data/read.ts'
import { Choice } from '../../parts/choice.tsx'
import { Checkbox, TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Notice, Skeleton } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { marketTexts } from '../marketplace.words.ts'
import { AssetChecks, useChecks } from './asset-checks.tsx'
import { tagsOf } from './submission.rules.ts'
import { submissionTexts } from './submission.words.ts'

export type SubmitFormProps = {
  assetId: string
  /** The entry of the asset, if it was submitted before. */
  entryId?: string | undefined
  onSubmitted: (entry: Entry) => void
  onCancel: () => void
}

/** Submits the published version of an asset. The checks run first, and show the findings that block it. */
export function SubmitForm(props: SubmitFormProps) {
  const market = useWords(marketTexts)
  const { entryId } = props
  const former = useRead(readEntry, { params: { id: entryId ?? '' } }, { enabled: entryId !== undefined })
  if (entryId !== undefined && former.isPending) return <Skeleton rows={5} label={market.reading} />
  return <LoadedForm {...props} former={former.data} />
}

function LoadedForm({
  assetId,
  former,
  onSubmitted,
  onCancel,
}: SubmitFormProps & { former: Entry | undefined }) {
  const text = useWords(submissionTexts)
  const market = useWords(marketTexts)
  const checks = useChecks(assetId)
  const [category, setCategory] = useState<Category | null>(former?.category ?? null)
  const [isAccepted, setAccepted] = useState(false)
  const [missing, setMissing] = useState<string>()
  const submit = useAction(submitEntry)
  const isListed = former?.status === 'APPROVED' && checks.data?.version === former.version

  async function send({ tags = '' }: Readonly<Record<string, string>>): Promise<void> {
    if (category === null) return setMissing(text.needsCategory)
    if (!isAccepted) return setMissing(text.needsPolicy)
    setMissing(undefined)
    try {
      const body = { assetId, category, tags: tagsOf(tags), acceptPolicy: true as const }
      const entry = await submit.mutateAsync({ body })
      showToast({ text: text.sent(entry.name) })
      onSubmitted(entry)
    } catch (error) {
      // the content changed since the checks: they show the findings of now
      if (codeOf(error) === 'RELEASE_REFUSED') checks.run()
      throw error
    }
  }

  return (
    <>
      <AssetChecks assetId={assetId} checks={checks} />
      {isListed && <Notice kind="warn">{text.isListed}</Notice>}
      <ActionForm onSubmit={send}>
        {({ isBusy }) => (
          <>
            {missing && <Notice kind="danger">{missing}</Notice>}
            <Choice
              label={text.category}
              {...(category !== null && { value: category })}
              onChange={setCategory}
              placeholder={text.needsCategory}
              options={categories.map(value => ({ value, label: market[value] }))}
            />
            <TextField
              name="tags"
              label={text.tags}
              hint={text.tagsHint}
              defaultValue={former?.tags.join(', ') ?? ''}
              autoComplete="off"
            />
            <Checkbox isSelected={isAccepted} onChange={setAccepted} hint={text.next}>
              {text.policy}
            </Checkbox>
            <FormActions
              onLeave={onCancel}
              action={text.send}
              isBusy={isBusy}
              isDisabled={!checks.data?.isSubmittable || isListed}
            />
          </>
        )}
      </ActionForm>
    </>
  )
}
