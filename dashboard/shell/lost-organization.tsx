import { textOfError } from '../data/errors.ts'
import { isAccessLost, isSuspended } from '../data/query-client.ts'
import { ButtonLink } from '../parts/button.tsx'
import { Problem } from '../parts/states.tsx'
import { useLanguage, useWords, words } from '../words/words.ts'
import { ScreenProblem } from './screen-problem.tsx'
import styles from './shell.module.css'

const texts = words({
  es: {
    lost: (name: string) => `Ya no tienes acceso a ${name}`,
    about: 'Si crees que es un error, habla con quien administra la organización.',
    others: 'Ir a tus organizaciones',
  },
  en: {
    lost: (name: string) => `You no longer have access to ${name}`,
    about: 'If you think that this is a mistake, ask the people who manage the organization.',
    others: 'Go to your organizations',
  },
})

/** Takes the place of the screens when the person may no longer see the organization. */
export function LostOrganization({ name, error }: { name: string; error: unknown }) {
  const { lost, about, others } = useWords(texts)
  const language = useLanguage()
  if (!isAccessLost(error)) return <ScreenProblem error={error} />
  return (
    <main id="main" className={styles.alone}>
      <Problem title={lost(name)} action={<ButtonLink href="/me">{others}</ButtonLink>}>
        {isSuspended(error) ? textOfError(error, language) : about}
      </Problem>
    </main>
  )
}
