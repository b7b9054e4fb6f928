import type { UnitKind } from '#contract/identity/units.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { textOfError } from '../../data/errors.ts'
import { useAction, useList } from '../../data/read.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Person } from '../../parts/person.tsx'
import { Notice, Skeleton } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { type Unit, unitOperations } from './unit-kinds.ts'
import styles from './units.module.css'
import { kindTexts, unitTexts } from './units.words.ts'

/** Creates a unit, or renames one. */
export function UnitNameDialog({
  kind,
  unit,
  onClose,
  onCreated,
}: {
  kind: UnitKind
  unit?: Unit
  onClose: () => void
  onCreated?: (unit: Unit) => void
}) {
  const text = useWords(unitTexts)
  const language = useLanguage()
  const operations = unitOperations[kind]
  const create = useAction(operations.create, { refreshes: [operations.list] })
  const rename = useAction(operations.rename, { refreshes: [operations.list] })
  return (
    <Dialog
      title={unit ? text.renameTitle(unit.name) : kindTexts[language][kind].createTitle}
      isOpen
      onClose={onClose}
      size="small"
    >
      <ActionForm
        onSubmit={async ({ name = '' }) => {
          const body = { name: name.trim() }
          if (unit) {
            const renamed = await rename.mutateAsync({ params: { id: unit.id }, body })
            showToast({ text: text.renamed(renamed.name) })
            return onClose()
          }
          const created = await create.mutateAsync({ body })
          showToast({ text: text.createdToast(created.name) })
          onClose()
          onCreated?.(created)
        }}
      >
        {({ isBusy }) => (
          <>
            <TextField
              {...fieldOf(operations.create, 'name')}
              label={text.name}
              defaultValue={unit?.name ?? ''}
              autoComplete="off"
            />
            <FormActions onLeave={onClose} action={unit ? text.save : text.create} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** Asks before a unit is deleted, and shows who loses what (UNT-4). */
export function RemoveUnitDialog({
  kind,
  unit,
  onClose,
}: {
  kind: UnitKind
  unit: Unit
  onClose: () => void
}) {
  const text = useWords(unitTexts)
  const language = useLanguage()
  const operations = unitOperations[kind]
  const members = useList(operations.listMembers, { params: { id: unit.id } }, { staleMs: 0 })
  const remove = useAction(operations.remove, { refreshes: [operations.list] })
  const { question, lostAccess } = kindTexts[language][kind]
  const count = members.total ?? members.items.length
  return (
    <Confirm
      title={question(unit.name)}
      action={text.removeAction}
      isDangerous
      isOpen
      onClose={onClose}
      isBusy={remove.isPending || members.isLoading}
      error={remove.error && <Notice kind="danger">{textOfError(remove.error, language)}</Notice>}
      onConfirm={() =>
        remove.mutate(
          { params: { id: unit.id } },
          {
            onSuccess: onClose,
            toast: () => text.removed(unit.name),
          },
        )
      }
    >
      {members.isLoading && <Skeleton rows={2} label={text.counting} />}
      {!members.isLoading && count === 0 && text.nobodyLoses}
      {count > 0 && (
        <>
          <p>
            {text.lose(count)} {lostAccess}:
          </p>
          <ul className={styles.people}>
            {members.items.map(({ personId, name }) => (
              <li key={personId} className={styles.person}>
                <Person name={name} />
              </li>
            ))}
            {count > members.items.length && (
              <li className={styles.quiet}>+ {count - members.items.length}</li>
            )}
          </ul>
        </>
      )}
    </Confirm>
  )
}
