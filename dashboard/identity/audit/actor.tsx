import { Icon } from '../../parts/icon.tsx'
import { Person } from '../../parts/person.tsx'
import { useWords } from '../../words/words.ts'
import styles from './audit.module.css'
import { auditTexts } from './audit.words.ts'
import type { Entry } from './entry.ts'

/** The person, application or server behind an entry. */
export function Actor({ entry: { actorName, actorId, auth } }: { entry: Entry }) {
  const text = useWords(auditTexts)
  if (actorName !== null)
    return <Person name={actorName} kind={auth === 'apiKey' ? 'application' : 'person'} />
  return (
    <span className={styles.server}>
      <Icon name={auth === 'operator' ? 'operator' : 'settings'} />
      {auth === 'operator' ? text.operator : (actorId ?? text.server)}
    </span>
  )
}
