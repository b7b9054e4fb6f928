import { useState } from 'react'
import { getMember, listMembers } from '#contract/identity/organization.ts'
import { changingOperations } from '#contract/operation-lists.ts'
import { useList, useRead } from '../../data/read.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Combo, PersonPicker } from '../../parts/combo.tsx'
import { Id } from '../../parts/id.tsx'
import { DateField } from '../../parts/number-fields.tsx'
import { useIsPhone } from '../../parts/phone.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './audit.module.css'
import { operationText } from './audit.rules.ts'
import { auditTexts } from './audit.words.ts'
import type { AuditSearch, AuditSearchChange } from './entry.ts'

type FiltersProps = {
  search: AuditSearch
  onChange: (change: AuditSearchChange) => void
}

/** The filters of the log: who, what, about what, and between which days. On a phone they wait behind a line. */
export function AuditFilters({ search, onChange }: FiltersProps) {
  const text = useWords(auditTexts)
  const isPhone = useIsPhone()
  const { actorId, operation, subject, from, to } = search
  const isFiltered = Boolean(actorId || operation || subject || from || to)
  if (!isPhone) return <FilterFields search={search} isFiltered={isFiltered} onChange={onChange} />
  return (
    <details className={styles.folded} open={isFiltered}>
      <summary>{text.filters}</summary>
      <FilterFields search={search} isFiltered={isFiltered} onChange={onChange} />
    </details>
  )
}

function FilterFields({ search, isFiltered, onChange }: FiltersProps & { isFiltered: boolean }) {
  const text = useWords(auditTexts)
  const { actorId, operation, subject, from, to } = search
  return (
    <search className={styles.filters} aria-label={text.filters}>
      <ActorFilter key={actorId} search={search} onChange={onChange} />
      <OperationFilter key={operation} search={search} onChange={onChange} />
      <DateField
        label={text.from}
        value={from ?? ''}
        onChange={day => onChange({ from: day || undefined })}
        {...(to && { maximum: to })}
      />
      <DateField
        label={text.to}
        value={to ?? ''}
        onChange={day => onChange({ to: day || undefined })}
        {...(from && { minimum: from })}
      />
      {isFiltered && (
        <div className={styles.others}>
          {subject && (
            <span className={styles.token}>
              {text.about} <Id value={subject} isShortened />
              <IconButton
                icon="close"
                size="small"
                label={text.removeFilter}
                onPress={() => onChange({ subject: undefined })}
              />
            </span>
          )}
          <Button
            kind="quiet"
            size="small"
            onPress={() =>
              onChange({
                actorId: undefined,
                operation: undefined,
                subject: undefined,
                from: undefined,
                to: undefined,
              })
            }
          >
            {text.clear}
          </Button>
        </div>
      )}
    </search>
  )
}

/** People are found by their names on the server, because an organization may have thousands. */
function ActorFilter({ search: { actorId }, onChange }: FiltersProps) {
  const text = useWords(auditTexts)
  const current = useRead(
    getMember,
    { params: { personId: actorId ?? '' } },
    { enabled: actorId !== undefined },
  )
  const [typed, setTyped] = useState<string>()
  const shown = typed ?? current.data?.name ?? ''
  const members = useList(listMembers, { query: { limit: 20, ...(typed && { search: typed }) } })
  return (
    <PersonPicker
      label={text.actor}
      placeholder={text.anybody}
      people={members.items.map(({ personId, name, email }) => ({ id: personId, name, email }))}
      isLoading={members.isLoading}
      search={shown}
      onSearch={next => {
        setTyped(next)
        if (next === '' && actorId) onChange({ actorId: undefined })
      }}
      value={actorId ?? null}
      onChange={id => id !== null && onChange({ actorId: id })}
    />
  )
}

function OperationFilter({ search: { operation }, onChange }: FiltersProps) {
  const text = useWords(auditTexts)
  const language = useLanguage()
  return (
    <Combo
      label={text.operation}
      placeholder={text.anything}
      items={changingOperations.map(name => {
        const words = operationText(name, language)
        return { id: name, label: words ?? name, ...(words && { hint: name }) }
      })}
      value={operation ?? null}
      onChange={name => onChange({ operation: name ?? undefined })}
    />
  )
}
