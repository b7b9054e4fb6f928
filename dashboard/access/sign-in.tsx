import { useNavigate, useSearch } from '@tanstack/react-router'
import { Notice } from '../parts/states.tsx'
import { useWords } from '../words/words.ts'
import { AccessFrame } from './access-frame.tsx'
import styles from './sign-in.module.css'
import { signInTexts } from './sign-in.words.ts'
import { SignInForm } from './sign-in-form.tsx'

/** The sign-in page. It leads on to the address that was opened. */
export function SignIn() {
  const text = useWords(signInTexts)
  const { to = '/', error } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  return (
    <AccessFrame title={text.title} {...(to !== '/' && { about: text.thenTo })}>
      {error !== undefined && (
        <div className={styles.notice}>
          <Notice kind="danger">{text.providerFailed}</Notice>
        </div>
      )}
      <SignInForm returnTo={to} onSignedIn={() => navigate({ href: to, replace: true })} />
      <p className={styles.noAccount}>{text.noAccount}</p>
    </AccessFrame>
  )
}
