import { useState } from 'react'
import { limits } from '#contract/limits.ts'
import { IconButton } from '../../parts/button.tsx'
import { PersonPicker } from '../../parts/combo.tsx'
import { Person } from '../../parts/person.tsx'
import { useWords } from '../../words/words.ts'
import styles from './composer.module.css'
import { composerTexts } from './composer.words.ts'
import type { Mentionable } from './mention.rules.ts'

/** The readers of a private message, beside its author. */
export function Readers({
  people,
  readerIds,
  onChange,
}: {
  people: readonly Mentionable[]
  readerIds: readonly string[]
  onChange: (ids: readonly string[]) => void
}) {
  const text = useWords(composerTexts)
  // a new field after each choice, empty again
  const [round, setRound] = useState(0)
  const chosen = people.filter(({ id }) => readerIds.includes(id))
  return (
    <div className={styles.readers}>
      {chosen.map(({ id, name }) => (
        <span key={id} className={styles.reader}>
          <Person name={name} />
          <IconButton
            icon="close"
            size="small"
            label={text.removeReader(name)}
            onPress={() => onChange(readerIds.filter(one => one !== id))}
          />
        </span>
      ))}
      {chosen.length < limits.messageReaders && (
        <PersonPicker
          key={round}
          label={text.readers}
          placeholder={text.addReader}
          people={people.filter(({ id }) => !readerIds.includes(id))}
          onChange={id => {
            if (id === null) return
            onChange([...readerIds, id])
            setRound(round + 1)
          }}
        />
      )}
    </div>
  )
}
