import { useState } from 'react'
import { crmLimits } from '#contract/crm/limits.ts'
import { type LeadStatus, type Temperature, temperatures } from '#contract/crm/shapes.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { lacksTexts } from '../../data/lacks.words.ts'
import { Button } from '../../parts/button.tsx'
import { Actions, Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { RadioGroup } from '../../parts/radio-group.tsx'
import { Reason } from '../../parts/reason.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { type Lead, nameOfLead, statusesFor } from './lead.ts'
import { leadFieldTexts, statusTexts, temperatureTexts } from './lead.words.ts'
import { changeTexts } from './lead-action.words.ts'
import styles from './leads.module.css'
import type { ChangedField } from './open-dialog.ts'
import { OwnerField } from './owner-field.tsx'
import { type LeadResult, type LeadsChange, useChangeLeads } from './use-change-leads.ts'

type Props = { field: ChangedField; leads: readonly Lead[]; onClose: () => void }

/** The most leads that are named for one reason. */
const mostNames = 5

/** Changes the status, the owner or the warmth of one or many leads, and names those that could not change. */
export function ChangeLeadsDialog({ field, leads: given, onClose }: Props) {
  const text = useWords(changeTexts)
  const lacks = useWords(lacksTexts)
  const fields = useWords(leadFieldTexts)
  const run = useChangeLeads()
  // the list reads the leads anew while the results are shown
  const [leads] = useState(given)
  const [failures, setFailures] = useState<readonly LeadResult[]>([])
  const [change, setChange] = useState<LeadsChange | undefined>(() => firstChange(field, leads))
  const changeable = leads.filter(({ isConverted }) => !isConverted)
  const converted = leads.length - changeable.length
  const [first] = leads
  const title =
    leads.length === 1 && first
      ? text.titleOfOne(fields[field], nameOfLead(first))
      : text.titles(fields[field], leads.length)

  async function send(chosen: LeadsChange): Promise<void> {
    const results = await run(changeable, chosen)
    const changed = results.filter(result => result.changed).length
    const failed = results.filter(({ errorCode }) => errorCode !== null)
    if (changed > 0 || failed.length === 0)
      showToast({ text: changed > 0 ? text.changed(changed) : text.nothing })
    if (failed.length > 0) setFailures(failed)
    else onClose()
  }

  if (failures.length > 0)
    return (
      <Dialog title={title} isOpen onClose={onClose}>
        <Failures failures={failures} leads={leads} />
        <Actions>
          <Button kind="primary" autoFocus onPress={onClose}>
            {text.close}
          </Button>
        </Actions>
      </Dialog>
    )
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <ActionForm
        lacks={change === undefined && lacks.value}
        onSubmit={async () => change && (await send(change))}
      >
        {({ isBusy }) => (
          <div className={styles.stack}>
            {changeable.length === 0 ? (
              <Notice kind="warn">{text.nothingPossible}</Notice>
            ) : (
              converted > 0 && <Notice>{text.unchangeable(converted)}</Notice>
            )}
            {changeable.length > 0 && (
              <ValueField field={field} leads={changeable} change={change} onChange={setChange} />
            )}
            <FormActions
              onLeave={onClose}
              {...(changeable.length > 0 && { action: text.change(changeable.length) })}
              isBusy={isBusy}
            />
          </div>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** The owner of a single lead is filled in; a status and a warmth are chosen. */
function firstChange(field: ChangedField, leads: readonly Lead[]): LeadsChange | undefined {
  if (field !== 'assigneeId') return undefined
  const [lead, ...others] = leads
  return { field, value: lead && others.length === 0 ? lead.assigneeId : null }
}

function ValueField({
  field,
  leads,
  change,
  onChange,
}: {
  field: ChangedField
  leads: readonly Lead[]
  change: LeadsChange | undefined
  onChange: (change: LeadsChange) => void
}) {
  const text = useWords(changeTexts)
  const fields = useWords(leadFieldTexts)
  const statusNames = useWords(statusTexts)
  const temperatureNames = useWords(temperatureTexts)
  if (field === 'assigneeId')
    return (
      <OwnerField
        value={change?.field === 'assigneeId' ? change.value : null}
        onChange={value => onChange({ field, value })}
      />
    )
  if (field === 'temperature')
    return (
      <RadioGroup<Temperature | 'none'>
        label={fields.temperature}
        options={[
          ...temperatures.map(value => ({ value, label: temperatureNames[value] })),
          { value: 'none', label: text.none },
        ]}
        value={change?.field === 'temperature' ? (change.value ?? 'none') : null}
        onChange={value => onChange({ field, value: value === 'none' ? null : value })}
      />
    )
  const status = change?.field === 'status' ? change : undefined
  return (
    <>
      <RadioGroup<LeadStatus>
        label={fields.status}
        options={statusesFor(leads).map(value => ({ value, label: statusNames[value] }))}
        value={status?.value ?? null}
        onChange={value => onChange({ field, value, reason: status?.reason ?? '' })}
      />
      {status && (
        <Reason
          label={text.reason}
          hint={text.reasonHint}
          maxLength={crmLimits.leadReason}
          value={status.reason}
          onChange={reason => onChange({ ...status, reason })}
        />
      )}
    </>
  )
}

function Failures({ failures, leads }: { failures: readonly LeadResult[]; leads: readonly Lead[] }) {
  const text = useWords(changeTexts)
  const reasons: Readonly<Record<string, unknown>> = text
  const names = new Map(leads.map(lead => [lead.id, nameOfLead(lead)]))
  const byCode = Object.entries(Object.groupBy(failures, ({ errorCode }) => errorCode ?? ''))
  return (
    <Notice kind="danger">
      <p>{text.failed(failures.length, leads.length)}</p>
      <ul className={styles.list}>
        {byCode.map(([code, ofCode = []]) => (
          <li key={code}>
            <span className={styles.name}>
              {text.named(
                ofCode.slice(0, mostNames).map(({ id }) => names.get(id) ?? id),
                ofCode.length,
              )}
            </span>
            : {String(reasons[code] ?? code)}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
