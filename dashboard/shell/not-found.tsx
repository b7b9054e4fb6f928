import { ButtonLink } from '../parts/button.tsx'
import { Problem } from '../parts/states.tsx'
import { useWords, words } from '../words/words.ts'
import styles from './shell.module.css'

const texts = words({
  es: {
    title: 'No está aquí, o no es para ti',
    about: 'La dirección puede estar incompleta, o lo que mostraba ya no existe.',
    home: 'Ir al inicio',
  },
  en: {
    title: 'Not here, or not for you',
    about: 'The address may be incomplete, or what it showed no longer exists.',
    home: 'Go to Home',
  },
})

/** The page of an unknown address, or of something that the person may not see. */
export function NotFound() {
  const { title, about, home } = useWords(texts)
  return (
    <main id="main" className={styles.alone}>
      <Problem title={title} action={<ButtonLink href="/">{home}</ButtonLink>}>
        {about}
      </Problem>
    </main>
  )
}
