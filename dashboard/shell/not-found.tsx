import { ButtonLink } from '../parts/button.tsx'
import { Page } from '../parts/page.tsx'
import { Problem } from '../parts/states.tsx'
import { useWords, words } from '../words/words.ts'
import styles from './shell.module.css'

const texts = words({
  es: {
    page: 'Página desconocida',
    title: 'No está aquí, o no es para ti',
    about: 'La dirección puede estar incompleta, o lo que mostraba ya no existe.',
    home: 'Ir al inicio',
  },
  en: {
    page: 'Unknown page',
    title: 'Not here, or not for you',
    about: 'The address may be incomplete, or what it showed no longer exists.',
    home: 'Go to Home',
  },
})

/** The page of an unknown address, or of something that the person may not see. */
export function NotFound() {
  return (
    <main id="main" className={styles.alone}>
      <UnknownAddress />
    </main>
  )
}

/** The same below an organization or the pages of operators: the navigation stays. */
export function NotFoundScreen() {
  return (
    <Page title={useWords(texts).page}>
      <UnknownAddress />
    </Page>
  )
}

function UnknownAddress() {
  const { title, about, home } = useWords(texts)
  return (
    <Problem title={title} action={<ButtonLink href="/">{home}</ButtonLink>}>
      {about}
    </Problem>
  )
}
