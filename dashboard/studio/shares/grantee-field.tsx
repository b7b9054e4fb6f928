import { useState } from 'react'
import { listMembers } from '#contract/identity/organization.ts'
import { listDepartments, listGroups } from '#contract/identity/units.ts'
import { studioLimits } from '#contract/studio/limits.ts'
import type { GranteeType } from '#contract/studio/shares.ts'
import { useList } from '../../data/read.ts'
import { IconButton } from '../../parts/button.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Combo, PersonPicker } from '../../parts/combo.tsx'
import { useWords } from '../../words/words.ts'
import styles from './shares.module.css'
import { shareTexts } from './shares.words.ts'

export type Grantee = { type: GranteeType; id: string; name: string }

/** Finds people, groups and departments one after the other; the chosen ones are listed over the field, whose list opens below. */
export function GranteeField({
  grantees,
  authorId,
  onChange,
}: {
  grantees: readonly Grantee[]
  /** The author has full access anyway and is not offered. */
  authorId: string
  onChange: (grantees: readonly Grantee[]) => void
}) {
  const text = useWords(shareTexts)
  const [type, setType] = useState<GranteeType>('USER')
  const [typed, setTyped] = useState('')
  const search = typed.trim() === '' ? {} : { search: typed.trim() }
  const query = { limit: 20, ...search }
  const people = useList(listMembers, { query }, { enabled: type === 'USER' })
  const groups = useList(listGroups, { query }, { enabled: type === 'GROUP' })
  const departments = useList(listDepartments, { query }, { enabled: type === 'DEPARTMENT' })
  const chosen = new Set(grantees.map(({ id }) => id))
  const units = type === 'GROUP' ? groups : departments
  const field = {
    label: text.find,
    hint: text.findHint,
    search: typed,
    onSearch: setTyped,
    value: null,
    isDisabled: grantees.length >= studioLimits.granteesPerShare,
    onChange: (id: string | null, item?: { label: string }) => {
      if (id === null || !item) return
      setTyped('')
      onChange([...grantees, { type, id, name: item.label }])
    },
  }
  return (
    <div className={styles.grantees}>
      {grantees.length > 0 && (
        <ul className={styles.chosen} aria-label={text.chosen}>
          {grantees.map(grantee => (
            <li key={grantee.id} className={styles.chosenItem}>
              <span className={styles.chosenName}>
                {grantee.name} <span className={styles.why}>{text[grantee.type]}</span>
              </span>
              <IconButton
                icon="close"
                size="small"
                label={text.leaveOut(grantee.name)}
                onPress={() => onChange(grantees.filter(other => other !== grantee))}
              />
            </li>
          ))}
        </ul>
      )}
      <div className={styles.grantee}>
        <Choice<GranteeType>
          label={text.kind}
          value={type}
          onChange={next => {
            setType(next)
            setTyped('')
          }}
          options={[
            { value: 'USER', label: text.people },
            { value: 'GROUP', label: text.groups },
            { value: 'DEPARTMENT', label: text.departmentsKind },
          ]}
        />
        {type === 'USER' ? (
          <PersonPicker
            {...field}
            isLoading={people.isLoading}
            people={people.items
              .filter(({ personId }) => !chosen.has(personId) && personId !== authorId)
              .map(({ personId, name, email }) => ({ id: personId, name, email }))}
          />
        ) : (
          <Combo
            key={type}
            {...field}
            isLoading={units.isLoading}
            items={units.items
              .filter(({ id }) => !chosen.has(id))
              .map(({ id, name }) => ({ id, label: name }))}
          />
        )}
      </div>
    </div>
  )
}
