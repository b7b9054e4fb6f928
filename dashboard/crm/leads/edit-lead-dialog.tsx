import { useState } from 'react'
import { readLead, updateLead } from '#contract/crm/leads.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { codeOf } from '../../data/errors.ts'
import { useAction, useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { type Lead, nameOfLead } from './lead.ts'
import { leadFieldTexts, temperatureTexts } from './lead.words.ts'
import { bodyOf, differingFields, draftOf, type LeadDraft, type LeadField, rebased } from './lead-draft.ts'
import { LeadFields, useMayNote } from './lead-fields.tsx'
import { leadFormTexts } from './lead-form.words.ts'
import styles from './leads.module.css'
import { useOwnerNames } from './use-leads.ts'

type Conflict = { theirs: Lead; changed: readonly LeadField[]; conflicts: readonly LeadField[] }

/** Edits a lead. If somebody else saved it in the meantime, both values are shown before it is saved again. */
export function EditLeadDialog({ lead, onClose }: { lead: Lead; onClose: () => void }) {
  const text = useWords(leadFormTexts)
  const input = { params: { id: lead.id }, query: { include: ['scoring' as const, 'notes' as const] } }
  const full = useRead(readLead, input)
  const mayNote = useMayNote()
  // rows of lists have no notes
  const whole = mayNote && lead.notes === undefined ? full.data : lead
  return (
    <Dialog title={text.editTitle(nameOfLead(lead))} isOpen onClose={onClose}>
      {whole && <EditLeadForm lead={whole} onClose={onClose} readAgain={() => full.refetch()} />}
    </Dialog>
  )
}

function EditLeadForm({
  lead,
  onClose,
  readAgain,
}: {
  lead: Lead
  onClose: () => void
  readAgain: () => Promise<{ data?: Lead | undefined }>
}) {
  const text = useWords(leadFormTexts)
  // live changes of others do not replace what the form was opened with
  const [base, setBase] = useState(lead)
  const [draft, setDraft] = useState(() => draftOf(lead))
  const [conflict, setConflict] = useState<Conflict>()
  const update = useAction(updateLead)
  const fields = differingFields(draftOf(base), draft)

  async function save(): Promise<void> {
    if (fields.length === 0) return onClose()
    try {
      const body = { ...bodyOf(draft, fields), expectedUpdatedAt: base.updatedAt }
      const saved = await update.mutateAsync({ params: { id: base.id }, body })
      showToast({ text: text.saved(nameOfLead(saved.lead)) })
      onClose()
    } catch (error) {
      const theirs = codeOf(error) === 'LEAD_UPDATE_CONFLICT' ? (await readAgain()).data : undefined
      if (!theirs) throw error
      const merged = rebased({ base: draftOf(base), mine: draft, theirs: draftOf(theirs) })
      setConflict({ theirs, changed: merged.changed, conflicts: merged.conflicts })
      setDraft(merged.draft)
      setBase(theirs)
    }
  }
  return (
    <ActionForm onSubmit={save}>
      {({ isBusy }) => (
        <>
          {conflict && <ConflictNotice conflict={conflict} draft={draft} onChange={setDraft} />}
          <LeadFields draft={draft} onChange={setDraft} />
          <FormActions onLeave={onClose} action={text.save} isBusy={isBusy} />
        </>
      )}
    </ActionForm>
  )
}

/** The fields that somebody else changed in the meantime, with a choice for those that both changed. */
function ConflictNotice({
  conflict: { theirs, changed, conflicts },
  draft,
  onChange,
}: {
  conflict: Conflict
  draft: LeadDraft
  onChange: (draft: LeadDraft) => void
}) {
  const text = useWords(leadFormTexts)
  const names: Record<LeadField, string> = useWords(leadFieldTexts)
  const temperatureNames = useWords(temperatureTexts)
  const owners = useOwnerNames([theirs, { ...theirs, assigneeId: draft.assigneeId }])
  const theirDraft = draftOf(theirs)
  function shown(of: LeadDraft, field: LeadField): string {
    const value = of[field]
    if (value === null || value === '') return text.empty
    if (field === 'temperature' && of.temperature) return temperatureNames[of.temperature]
    return field === 'assigneeId' ? (owners.get(String(value)) ?? String(value)) : String(value)
  }
  const takenOver = changed.filter(field => !conflicts.includes(field))
  return (
    <Notice kind="danger">
      <p className={styles.name}>{text.conflict}</p>
      {takenOver.length > 0 && (
        <>
          <p>{text.takenOver}</p>
          <ul className={styles.list}>
            {takenOver.map(field => (
              <li key={field}>
                {names[field]}: {shown(theirDraft, field)}
              </li>
            ))}
          </ul>
        </>
      )}
      {conflicts.length > 0 && (
        <>
          <p>{text.both}</p>
          <dl className={styles.stack}>
            {conflicts.map(field => (
              <div key={field}>
                <dt className={styles.name}>{names[field]}</dt>
                <dd>
                  {text.mine}: {shown(draft, field)}
                </dd>
                <dd>
                  {text.theirs}: {shown(theirDraft, field)}{' '}
                  <Button size="small" onPress={() => onChange({ ...draft, [field]: theirDraft[field] })}>
                    {text.take(names[field])}
                  </Button>
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <p>{text.saveAgain}</p>
    </Notice>
  )
}
