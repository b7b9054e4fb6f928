import { Person } from '../../parts/person.tsx'
import { Status } from '../../parts/status.tsx'
import { useWords } from '../../words/words.ts'
import { accessTexts } from './audit.words.ts'
import type { Entry } from './entry.ts'

/** The person or application behind an entry; without one, the way in which it came. */
export function Actor({ entry: { actorName, actorId, auth } }: { entry: Entry }) {
  const access: Readonly<Record<string, string>> = useWords(accessTexts)
  if (actorName !== null)
    return <Person name={actorName} kind={auth === 'apiKey' ? 'application' : 'person'} />
  const isOperator = auth === 'operator'
  return (
    <Status icon={isOperator ? 'operator' : auth === 'public' ? 'link' : 'settings'} kind="quiet">
      {(isOperator ? undefined : actorId) ?? access[auth] ?? auth}
    </Status>
  )
}
