import type { CsvImportDryRun } from '#contract/crm/csv-imports.ts'
import { Choice } from '../../parts/choice.tsx'
import { useWords } from '../../words/words.ts'
import { importTexts } from './import.words.ts'
import type { ImportKind } from './import-kind.ts'
import styles from './imports.module.css'

/** The field of each column by its name, or null if it is not imported; the server finds the others by their names. */
export type ColumnMapping = Readonly<Record<string, string | null>>

// no field has these names
const [byNameValue, ignoreValue] = ['=name', '=ignore']

/** Assigns the columns of a file to the fields of a record. */
export function ImportColumns({
  kind: { fields: importable, fieldTexts },
  names,
  mapping,
  found,
  onChange,
}: {
  kind: ImportKind
  names: readonly string[]
  mapping: ColumnMapping
  /** The fields that the server found. */
  found: CsvImportDryRun['columns']
  onChange: (mapping: ColumnMapping) => void
}) {
  const text = useWords(importTexts)
  const fields: Readonly<Record<string, string>> = useWords(fieldTexts)
  function choose(name: string, value: string): void {
    const { [name]: _former, ...others } = mapping
    onChange(value === byNameValue ? others : { ...others, [name]: value === ignoreValue ? null : value })
  }
  return (
    <div className={styles.fields}>
      {[...new Set(names)].map(name => {
        const field = found.find(({ column }) => column === name)?.field
        const byName = field && !(name in mapping) ? text.byNameAs(fields[field] ?? field) : text.byName
        return (
          <Choice<string>
            key={name}
            label={name}
            options={[
              { value: byNameValue, label: byName },
              { value: ignoreValue, label: text.ignore },
              ...importable.map(value => ({ value, label: fields[value] ?? value })),
            ]}
            value={name in mapping ? (mapping[name] ?? ignoreValue) : byNameValue}
            onChange={value => choose(name, value)}
          />
        )
      })}
    </div>
  )
}
