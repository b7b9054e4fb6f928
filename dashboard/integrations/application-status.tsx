import { Status } from '../parts/status.tsx'
import { useWords, words } from '../words/words.ts'
import type { ListedApplication } from './application.ts'

const texts = words({
  es: { ACTIVE: 'Activa', DISABLED: 'Desactivada' },
  en: { ACTIVE: 'Active', DISABLED: 'Disabled' },
})

/** The state of an application: the requests of a disabled one are refused. */
export function ApplicationStatus({ status }: Pick<ListedApplication, 'status'>) {
  const text = useWords(texts)
  return (
    <Status icon={status === 'ACTIVE' ? 'done' : 'blocked'} kind={status === 'ACTIVE' ? 'done' : 'warn'}>
      {text[status]}
    </Status>
  )
}
