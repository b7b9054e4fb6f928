import { useState } from 'react'
import { listMembers } from '#contract/identity/organization.ts'
import { changingOperations } from '#contract/operation-lists.ts'
import { useList } from '../../data/read.ts'
import { Combo, PersonPicker } from '../../parts/combo.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { DateField } from '../../parts/number-fields.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { operationText } from './audit.rules.ts'
import { auditTexts } from './audit.words.ts'
import type { AuditSearchChange } from './entry.ts'

/** The filters whose value a dialog asks for. */
export type ChosenField = 'actorId' | 'operation' | 'days'

/** Asks for a person, an operation, or the first and the last day. */
export function ChooseFilterDialog({
  chosen,
  onChange,
  onClose,
}: {
  chosen: ChosenField
  onChange: (change: AuditSearchChange) => void
  onClose: () => void
}) {
  const text = useWords(auditTexts)
  const titles = { actorId: text.actor, operation: text.operation, days: text.days }
  const apply = (change: AuditSearchChange) => {
    onChange(change)
    onClose()
  }
  return (
    <Dialog title={titles[chosen]} size="small" isOpen onClose={onClose} keepsInput>
      {chosen === 'actorId' && <Actor onChoose={actorId => apply({ actorId })} />}
      {chosen === 'operation' && <Operation onChoose={operation => apply({ operation })} />}
      {chosen === 'days' && <Days onChoose={apply} onClose={onClose} />}
    </Dialog>
  )
}

/** People are found by their names on the server, because an organization may have thousands. */
function Actor({ onChoose }: { onChoose: (id: string) => void }) {
  const text = useWords(auditTexts)
  const [typed, setTyped] = useState('')
  const members = useList(listMembers, { query: { limit: 20, ...(typed && { search: typed }) } })
  return (
    <PersonPicker
      label={text.actor}
      people={members.items.map(({ personId, name, email }) => ({ id: personId, name, email }))}
      isLoading={members.isLoading}
      search={typed}
      onSearch={setTyped}
      value={null}
      onChange={id => id !== null && onChoose(id)}
    />
  )
}

function Operation({ onChoose }: { onChoose: (name: string) => void }) {
  const text = useWords(auditTexts)
  const language = useLanguage()
  return (
    <Combo
      label={text.operation}
      items={changingOperations.map(name => {
        const words = operationText(name, language)
        return { id: name, label: words ?? name, ...(words && { hint: name }) }
      })}
      value={null}
      onChange={name => name !== null && onChoose(name)}
    />
  )
}

function Days({
  onChoose,
  onClose,
}: {
  onChoose: (change: Pick<AuditSearchChange, 'from' | 'to'>) => void
  onClose: () => void
}) {
  const text = useWords(auditTexts)
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  return (
    <>
      <DateField label={text.from} value={from} onChange={setFrom} {...(to && { maximum: to })} />
      <DateField label={text.to} value={to} onChange={setTo} {...(from && { minimum: from })} />
      <FormActions
        onLeave={onClose}
        action={text.apply}
        onAction={() => onChoose({ from: from || undefined, to: to || undefined })}
      />
    </>
  )
}
