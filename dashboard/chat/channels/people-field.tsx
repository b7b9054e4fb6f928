import { useState } from 'react'
import { listMembers } from '#contract/identity/organization.ts'
import { limits } from '#contract/limits.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { IconButton } from '../../parts/button.tsx'
import { PersonPicker } from '../../parts/combo.tsx'
import { Person } from '../../parts/person.tsx'
import { useWords } from '../../words/words.ts'
import styles from './channels.module.css'
import { newConversationTexts } from './channels.words.ts'

export type ChosenPerson = { id: string; name: string }

/** People of the organization, found on the server by name. */
export function PeopleField({
  people,
  onChange,
}: {
  people: readonly ChosenPerson[]
  onChange: (people: readonly ChosenPerson[]) => void
}) {
  const text = useWords(newConversationTexts)
  const ownId = useOrganization().caller.person.id
  const [typed, setTyped] = useState('')
  const [round, setRound] = useState(0)
  const found = useList(listMembers, { query: { limit: 20, ...(typed !== '' && { search: typed }) } })
  const taken = new Set([ownId, ...people.map(({ id }) => id)])
  return (
    <>
      {people.length > 0 && (
        <div className={styles.people}>
          {people.map(person => (
            <span key={person.id} className={styles.chip}>
              <Person name={person.name} />
              <IconButton
                icon="close"
                size="small"
                label={text.remove(person.name)}
                onPress={() => onChange(people.filter(({ id }) => id !== person.id))}
              />
            </span>
          ))}
        </div>
      )}
      {people.length < limits.directPeople && (
        <PersonPicker
          key={round}
          label={text.people}
          placeholder={text.add}
          hint={text.most(limits.directPeople)}
          people={found.items
            .filter(({ personId }) => !taken.has(personId))
            .map(({ personId, name, email }) => ({ id: personId, name, email }))}
          isLoading={found.isLoading}
          search={typed}
          onSearch={setTyped}
          onChange={(id, item) => {
            if (id === null || !item) return
            onChange([...people, { id, name: item.label }])
            setTyped('')
            setRound(round + 1)
          }}
        />
      )}
    </>
  )
}
