import { useState } from 'react'
import {
  type Collection,
  createCollection,
  listCollections,
  readCollection,
  updateCollection,
} from '#contract/studio/collections.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { lacksTexts } from '../../data/lacks.words.ts'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { hasRoomBelow, obstacleToMove } from './collection.rules.ts'
import { CollectionField } from './collection-field.tsx'
import { collectionDialogTexts } from './collections.words.ts'
import { RemoveCollectionDialog } from './remove-collection-dialog.tsx'
import { useCollections } from './use-collections.ts'

/** The dialog that is open, and its collection. */
export type OpenDialog =
  | { kind: 'create'; parent: Collection | null }
  | { kind: 'edit' | 'move' | 'remove'; collection: Collection }

/** Creates, describes, moves or deletes a collection. */
export function CollectionDialog({
  open,
  onClose,
  onCreated,
  onRemoved,
  onMove,
}: {
  open: OpenDialog
  onClose: () => void
  onCreated: (id: string) => void
  onRemoved: (removed: Collection) => void
  onMove: (moved: Collection, into: Collection | null) => Promise<unknown>
}) {
  if (open.kind === 'create')
    return <NameDialog parent={open.parent} onClose={onClose} onCreated={onCreated} />
  const { collection } = open
  if (open.kind === 'edit') return <NameDialog collection={collection} onClose={onClose} />
  if (open.kind === 'move') return <MoveDialog collection={collection} onClose={onClose} onMove={onMove} />
  return <RemoveCollectionDialog collection={collection} onClose={onClose} onRemoved={onRemoved} />
}

function NameDialog({
  collection,
  parent = null,
  onClose,
  onCreated,
}: {
  collection?: Collection
  parent?: Collection | null
  onClose: () => void
  onCreated?: (id: string) => void
}) {
  const text = useWords(collectionDialogTexts)
  const [into, setInto] = useState(parent)
  const create = useAction(createCollection, { refreshes: [listCollections] })
  const update = useAction(updateCollection, { refreshes: [listCollections, readCollection] })
  const title = parent ? text.createIn(parent.name) : text.createTitle
  async function send({ name = '', description = '' }: Readonly<Record<string, string>>): Promise<void> {
    const body = { name: name.trim(), description: description.trim() }
    if (collection) {
      await update.mutateAsync({ params: { id: collection.id }, body })
      showToast({ text: text.saved(body.name) })
      return onClose()
    }
    const created = await create.mutateAsync({ body: { ...body, parentId: into?.id ?? null } })
    showToast({ text: text.created(created.name) })
    onClose()
    onCreated?.(created.id)
  }
  return (
    <Dialog title={collection ? text.editTitle(collection.name) : title} isOpen onClose={onClose}>
      <ActionForm onSubmit={send}>
        {({ isBusy }) => (
          <>
            <TextField
              {...fieldOf(createCollection, 'name')}
              label={text.name}
              defaultValue={collection?.name ?? ''}
              autoComplete="off"
            />
            <TextField
              {...fieldOf(createCollection, 'description')}
              label={text.description}
              defaultValue={collection?.description ?? ''}
              rows={3}
            />
            {!collection && (
              <CollectionField
                label={text.parent}
                topLabel={text.top}
                value={into?.id ?? null}
                onChange={setInto}
                isOffered={one => one === null || hasRoomBelow(one)}
              />
            )}
            <FormActions
              onLeave={onClose}
              action={collection ? text.save : text.createAction}
              isBusy={isBusy}
            />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

function MoveDialog({
  collection,
  onClose,
  onMove,
}: {
  collection: Collection
  onClose: () => void
  onMove: (moved: Collection, into: Collection | null) => Promise<unknown>
}) {
  const text = useWords(collectionDialogTexts)
  const lacks = useWords(lacksTexts)
  const { items } = useCollections()
  const [chosen, setChosen] = useState<{ into: Collection | null }>()
  return (
    <Dialog title={text.moveTitle(collection.name)} isOpen onClose={onClose} size="small">
      <ActionForm
        lacks={!chosen && lacks.collection}
        onSubmit={async () => {
          if (!chosen) return
          await onMove(collection, chosen.into)
          onClose()
        }}
      >
        {({ isBusy }) => (
          <>
            <CollectionField
              label={text.parent}
              hint={text.parentHint}
              topLabel={text.top}
              value={chosen && (chosen.into?.id ?? null)}
              onChange={into => setChosen({ into })}
              isOffered={into => obstacleToMove(items, collection, into) === undefined}
            />
            <FormActions onLeave={onClose} action={text.moveAction} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
