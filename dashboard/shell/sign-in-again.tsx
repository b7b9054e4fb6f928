import { useMustSignInAgain } from '../data/sign-in-again.ts'
import { late } from '../parts/late.tsx'

const Dialog = late(() => import('./sign-in-again-dialog.tsx').then(dialog => dialog.SignInAgainDialog))

/** Asks the person to sign in again when the session has ended; the screen stays as it is behind (DSH-7). */
export function SignInAgain({ email }: { email: string }) {
  const mustSignIn = useMustSignInAgain()
  return mustSignIn && <Dialog email={email} />
}
