import { useState } from 'react'
import {
  type Category,
  categories,
  type Entry,
  updateEntry,
  withdrawEntry,
} from '#contract/marketplace/entries.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { useAction } from '../../data/read.ts'
import { Choice } from '../../parts/choice.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { marketTexts } from '../marketplace.words.ts'
import { tagsOf } from './submission.rules.ts'
import { submissionTexts } from './submission.words.ts'

type Props = { entry: Entry; onClose: () => void }

/** Changes the category and the tags of an entry; they apply at once. */
export function EditEntryDialog({ entry, onClose }: Props) {
  const text = useWords(submissionTexts)
  const market = useWords(marketTexts)
  const [category, setCategory] = useState<Category>(entry.category)
  const update = useAction(updateEntry)
  async function send({ tags = '' }: Readonly<Record<string, string>>): Promise<void> {
    await update.mutateAsync({ params: { id: entry.id }, body: { category, tags: tagsOf(tags) } })
    showToast({ text: text.saved })
    onClose()
  }
  return (
    <Dialog title={text.editTitle(entry.name)} isOpen onClose={onClose} size="small">
      <ActionForm onSubmit={send}>
        {({ isBusy }) => (
          <>
            <Choice
              label={text.category}
              value={category}
              onChange={setCategory}
              options={categories.map(value => ({ value, label: market[value] }))}
            />
            <TextField
              name="tags"
              label={text.tags}
              hint={text.tagsHint}
              defaultValue={entry.tags.join(', ')}
              autoComplete="off"
            />
            <FormActions onLeave={onClose} action={text.save} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** Asks before an entry leaves the catalogue. */
export function WithdrawDialog({ entry, onClose }: Props) {
  const text = useWords(submissionTexts)
  return (
    <ConfirmAction
      operation={withdrawEntry}
      input={{ params: { id: entry.id } }}
      title={text.withdrawTitle(entry.name)}
      action={text.withdrawAction}
      isDangerous
      onClose={onClose}
      toast={() => text.withdrawn(entry.name)}
    >
      {text.withdrawAbout}
    </ConfirmAction>
  )
}
