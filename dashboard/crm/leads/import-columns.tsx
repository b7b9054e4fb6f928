import type { LeadImportDryRun } from '#contract/crm/lead-imports.ts'
import { Choice } from '../../parts/choice.tsx'
import { useWords } from '../../words/words.ts'
import { importTexts } from './import.words.ts'
import { leadFieldTexts } from './lead.words.ts'
import { type LeadField, leadFields } from './lead-draft.ts'
import styles from './leads.module.css'

/** The field of each column by its name, or null if it is not imported; the server finds the others by their names. */
export type ColumnMapping = Readonly<Record<string, LeadField | null>>

/** Assigns the columns of a file to the fields of a lead. */
export function ImportColumns({
  names,
  mapping,
  found,
  onChange,
}: {
  names: readonly string[]
  mapping: ColumnMapping
  /** The fields that the server found. */
  found: LeadImportDryRun['columns']
  onChange: (mapping: ColumnMapping) => void
}) {
  const text = useWords(importTexts)
  const fields: Readonly<Record<string, string>> = useWords(leadFieldTexts)
  // a file names no person of the organization
  const importable = leadFields.filter(field => field !== 'assigneeId')
  function choose(name: string, value: LeadField | 'name' | 'ignore'): void {
    const { [name]: _former, ...others } = mapping
    onChange(value === 'name' ? others : { ...others, [name]: value === 'ignore' ? null : value })
  }
  return (
    <div className={styles.fields}>
      {[...new Set(names)].map(name => {
        const field = found.find(({ column }) => column === name)?.field
        const byName = field && !(name in mapping) ? text.byNameAs(fields[field] ?? field) : text.byName
        return (
          <Choice<LeadField | 'name' | 'ignore'>
            key={name}
            label={name}
            options={[
              { value: 'name', label: byName },
              { value: 'ignore', label: text.ignore },
              ...importable.map(value => ({ value, label: fields[value] ?? value })),
            ]}
            value={name in mapping ? (mapping[name] ?? 'ignore') : 'name'}
            onChange={value => choose(name, value)}
          />
        )
      })}
    </div>
  )
}
