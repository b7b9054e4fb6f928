import { lazy, Suspense } from 'react'
import { useMustSignInAgain } from '../data/sign-in-again.ts'

const Dialog = lazy(() => import('./sign-in-again-dialog.tsx'))

/** Asks the person to sign in again when the session has ended; the screen stays as it is behind (DSH-7). */
export function SignInAgain({ email }: { email: string }) {
  const mustSignIn = useMustSignInAgain()
  return <Suspense>{mustSignIn && <Dialog email={email} />}</Suspense>
}
