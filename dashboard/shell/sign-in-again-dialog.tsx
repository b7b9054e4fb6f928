import { SignInForm } from '../access/sign-in-form.tsx'
import { signedInAgain } from '../data/sign-in-again.ts'
import { Dialog } from '../parts/dialog.tsx'
import { useWords, words } from '../words/words.ts'
import styles from './sign-in-again-dialog.module.css'

const texts = words({
  es: {
    title: 'Tu sesión ha terminado',
    about: 'Entra otra vez y sigues donde estabas. Lo que has escrito se conserva.',
  },
  en: {
    title: 'Your session has ended',
    about: 'Sign in again to go on where you were. What you typed is kept.',
  },
})

/** The way back in. It cannot be closed, because the calls behind it wait; the other way is to leave the page. */
export function SignInAgainDialog({ email }: { email: string }) {
  const { title, about } = useWords(texts)
  const here = location.pathname + location.search
  return (
    <Dialog title={title} isOpen size="small">
      <p className={styles.about}>{about}</p>
      <SignInForm email={email} returnTo={here} onSignedIn={signedInAgain} />
    </Dialog>
  )
}
