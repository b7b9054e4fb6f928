import { createLead } from '#contract/crm/leads.ts'
import { crmLimits } from '#contract/crm/limits.ts'
import { type Temperature, temperatures } from '#contract/crm/shapes.ts'
import { fieldOf } from '../../data/action-form.tsx'
import { useOrganization } from '../../data/organization.tsx'
import { Choice } from '../../parts/choice.tsx'
import { TextField } from '../../parts/field.tsx'
import { NumberField } from '../../parts/number-fields.tsx'
import { Reason } from '../../parts/reason.tsx'
import { useWords } from '../../words/words.ts'
import { leadFieldTexts, temperatureTexts } from './lead.words.ts'
import type { LeadDraft } from './lead-draft.ts'
import { leadFormTexts } from './lead-form.words.ts'
import styles from './leads.module.css'
import { OwnerField } from './owner-field.tsx'

/** Whether the caller may read and write the notes of leads (LEAD-11). */
export function useMayNote(): boolean {
  return useOrganization().caller.permissions.includes('CRM_NOTES')
}

/** The fields of a lead. Notes appear for those who may read them. */
export function LeadFields({
  draft,
  onChange,
  onEmailBlur,
}: {
  draft: LeadDraft
  onChange: (draft: LeadDraft) => void
  onEmailBlur?: () => void
}) {
  const text = useWords(leadFieldTexts)
  const formText = useWords(leadFormTexts)
  const temperatureNames = useWords(temperatureTexts)
  const mayNote = useMayNote()
  const set = <Field extends keyof LeadDraft>(field: Field) => ({
    value: draft[field],
    onChange: (value: LeadDraft[Field]) => onChange({ ...draft, [field]: value }),
  })
  const isReachable = draft.email.trim() !== '' || draft.phone.trim() !== ''
  return (
    <div className={styles.fields}>
      <TextField
        {...fieldOf(createLead, 'email')}
        {...set('email')}
        label={text.email}
        autoComplete="off"
        spellCheck="false"
        {...(onEmailBlur && { onBlur: onEmailBlur })}
        {...(!isReachable && { hint: formText.reach })}
        isRequired={!isReachable}
      />
      <TextField
        {...fieldOf(createLead, 'phone')}
        {...set('phone')}
        label={text.phone}
        inputMode="tel"
        autoComplete="off"
      />
      <TextField
        {...fieldOf(createLead, 'firstName')}
        {...set('firstName')}
        label={text.firstName}
        autoComplete="off"
      />
      <TextField
        {...fieldOf(createLead, 'lastName')}
        {...set('lastName')}
        label={text.lastName}
        autoComplete="off"
      />
      <TextField
        {...fieldOf(createLead, 'company')}
        {...set('company')}
        label={text.company}
        autoComplete="off"
      />
      <TextField
        {...fieldOf(createLead, 'source')}
        {...set('source')}
        label={text.source}
        autoComplete="off"
      />
      <TextField {...fieldOf(createLead, 'stage')} {...set('stage')} label={text.stage} autoComplete="off" />
      <OwnerField {...set('assigneeId')} />
      <NumberField label={text.score} minimum={0} maximum={100} {...set('score')} />
      <Choice<Temperature | 'none'>
        label={text.temperature}
        options={[
          { value: 'none', label: formText.none },
          ...temperatures.map(value => ({ value, label: temperatureNames[value] })),
        ]}
        value={draft.temperature ?? 'none'}
        onChange={value => onChange({ ...draft, temperature: value === 'none' ? null : value })}
      />
      {mayNote && (
        <div className={styles.wide}>
          <Reason name="notes" label={text.notes} maxLength={crmLimits.leadNotes} {...set('notes')} />
        </div>
      )}
    </div>
  )
}
