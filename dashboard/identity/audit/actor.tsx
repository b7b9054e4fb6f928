import { Person } from '../../parts/person.tsx'
import { Status } from '../../parts/status.tsx'
import { useWords } from '../../words/words.ts'
import { auditTexts } from './audit.words.ts'
import type { Entry } from './entry.ts'

/** The person, application or server behind an entry. */
export function Actor({ entry: { actorName, actorId, auth } }: { entry: Entry }) {
  const text = useWords(auditTexts)
  if (actorName !== null)
    return <Person name={actorName} kind={auth === 'apiKey' ? 'application' : 'person'} />
  return (
    <Status icon={auth === 'operator' ? 'operator' : 'settings'} kind="quiet">
      {auth === 'operator' ? text.operator : (actorId ?? text.server)}
    </Status>
  )
}
