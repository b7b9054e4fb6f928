import { useState } from 'react'
import {
  createSavedView,
  deleteSavedView,
  listSavedViews,
  type SavedView,
  updateSavedView,
  type ViewList,
} from '#contract/identity/views.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Checkbox, TextField } from '../parts/field.tsx'
import { FormActions } from '../parts/form-actions.tsx'
import { showToast } from '../parts/toasts.tsx'
import { useWords } from '../words/words.ts'
import { ActionForm, fieldOf } from './action-form.tsx'
import { ConfirmAction } from './confirm-action.tsx'
import { useAction } from './read.ts'
import type { ListFilters } from './saved-views.rules.ts'
import { savedViewTexts } from './saved-views.words.ts'

/** Saves the filters under a name, or changes the name of a view and who sees it. */
export function SaveViewDialog({
  list,
  view,
  filters,
  onClose,
  onSaved,
}: {
  list: ViewList
  /** The view to change; without it, a new one. */
  view?: SavedView
  filters: ListFilters
  onClose: () => void
  onSaved?: (id: string) => void
}) {
  const text = useWords(savedViewTexts)
  const [isShared, setShared] = useState(view?.isShared ?? false)
  const create = useAction(createSavedView, { refreshes: [listSavedViews] })
  const update = useAction(updateSavedView, { refreshes: [listSavedViews] })
  return (
    <Dialog title={view ? text.editTitle(view.name) : text.saveTitle} isOpen onClose={onClose} size="small">
      <ActionForm
        onSubmit={async ({ name = '' }) => {
          const body = { name: name.trim(), isShared }
          const saved = view
            ? await update.mutateAsync({ params: { id: view.id }, body })
            : await create.mutateAsync({ body: { ...body, list, filters } })
          showToast({ text: text.saved(saved.name) })
          onSaved?.(saved.id)
          onClose()
        }}
      >
        {({ isBusy }) => (
          <>
            <TextField
              {...fieldOf(createSavedView, 'name')}
              label={text.name}
              defaultValue={view?.name ?? ''}
              autoComplete="off"
            />
            <Checkbox isSelected={isShared} onChange={setShared}>
              {text.shared}
            </Checkbox>
            <FormActions onLeave={onClose} action={text.saveAction} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** Asks before a view is deleted. */
export function RemoveViewDialog({
  view,
  onClose,
  onRemoved,
}: {
  view: SavedView
  onClose: () => void
  onRemoved: () => void
}) {
  const text = useWords(savedViewTexts)
  return (
    <ConfirmAction
      operation={deleteSavedView}
      input={{ params: { id: view.id } }}
      refreshes={[listSavedViews]}
      title={text.removeQuestion(view.name)}
      action={text.removeAction}
      isDangerous
      onClose={onClose}
      toast={() => text.removed(view.name)}
      onDone={onRemoved}
    >
      {view.isShared ? text.removeSharedAbout : text.removeAbout}
    </ConfirmAction>
  )
}
