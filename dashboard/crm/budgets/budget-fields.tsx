import { updateBudget } from '#contract/crm/budgets.ts'
import { fieldOf } from '../../data/action-form.tsx'
import { TextField } from '../../parts/field.tsx'
import { DateField } from '../../parts/number-fields.tsx'
import { Reason } from '../../parts/reason.tsx'
import { useWords } from '../../words/words.ts'
import { ClientField } from '../client-field.tsx'
import styles from './budget.module.css'
import type { BudgetForm } from './budget-form.ts'
import { budgetTexts } from './budgets.words.ts'
import { editorTexts } from './editor.words.ts'

type FieldsProps = { form: BudgetForm; change: (change: (form: BudgetForm) => BudgetForm) => void }

/** The head of a budget: title, client and days. */
export function BudgetFields({ form, change }: FieldsProps) {
  const text = useWords(editorTexts)
  const { client } = useWords(budgetTexts)
  return (
    <div className={styles.fields}>
      <div className={styles.wide}>
        <TextField
          {...fieldOf(updateBudget, 'title')}
          label={text.titleField}
          value={form.title}
          onChange={title => change(now => ({ ...now, title }))}
          isRequired
          autoComplete="off"
        />
      </div>
      <div className={styles.wide}>
        <ClientField
          label={client}
          value={form.clientId}
          onChange={clientId => clientId !== null && change(now => ({ ...now, clientId }))}
          isRequired
        />
      </div>
      <DateField
        label={text.issueDate}
        value={form.issueDate}
        onChange={issueDate => issueDate && change(now => ({ ...now, issueDate }))}
        isRequired
      />
      <DateField
        label={text.validUntil}
        value={form.validUntil}
        onChange={validUntil => change(now => ({ ...now, validUntil }))}
      />
    </div>
  )
}

/** The texts below the items: conditions, notes, and notes that the client does not see. */
export function BudgetTexts({ form, change }: FieldsProps) {
  const text = useWords(editorTexts)
  return (
    <div className={styles.texts}>
      {(['conditions', 'notes', 'internalNotes'] as const).map(field => (
        <Reason
          key={field}
          label={text[field]}
          maxLength={fieldOf(updateBudget, field).maxLength ?? 0}
          rows={2}
          value={form[field]}
          onChange={value => change(now => ({ ...now, [field]: value }))}
          {...(field === 'internalNotes' && { hint: text.internalHint })}
        />
      ))}
    </div>
  )
}
