import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ActionForm } from '../data/action-form.tsx'
import { textOfError } from '../data/errors.ts'
import {
  hasPasskeys,
  readSignInMethods,
  signInWithCode,
  signInWithPasskey,
  signInWithPassword,
  signInWithProvider,
} from '../data/sign-in.ts'
import { Button } from '../parts/button.tsx'
import { Checkbox, TextField } from '../parts/field.tsx'
import { Notice } from '../parts/states.tsx'
import { useLanguage, useWords } from '../words/words.ts'
import { signInTexts } from './sign-in.words.ts'
import styles from './sign-in-form.module.css'
import { WaitNotice } from './wait-notice.tsx'

export type SignInFormProps = {
  onSignedIn: () => unknown
  /** The person who must sign in again; without it, anybody. */
  email?: string
  /** The address to return to from an OpenID Connect provider. */
  returnTo: string
}

/** Every way to sign in: a password with its second factor, a passkey, an OpenID Connect provider. */
export function SignInForm(props: SignInFormProps) {
  const [step, setStep] = useState<'password' | 'code'>('password')
  return step === 'code' ? (
    <CodeForm onSignedIn={props.onSignedIn} onBack={() => setStep('password')} />
  ) : (
    <PasswordForm {...props} onNeedsCode={() => setStep('code')} />
  )
}

function PasswordForm({
  onSignedIn,
  email,
  returnTo,
  onNeedsCode,
}: SignInFormProps & { onNeedsCode: () => void }) {
  const text = useWords(signInTexts)
  const language = useLanguage()
  const methods = useQuery({ queryKey: ['sign-in-methods'], queryFn: readSignInMethods, staleTime: 60_000 })
  const [passkeyError, setPasskeyError] = useState<unknown>()
  const offer = usePasskeyOffer(onSignedIn)

  async function choosePasskey(): Promise<void> {
    setPasskeyError(undefined)
    try {
      if (await offer.choose()) await onSignedIn()
    } catch (error) {
      // the person closed the browser's dialog
      if (!(error instanceof DOMException)) setPasskeyError(error)
    }
  }

  return (
    <>
      <ActionForm
        aria-label={text.signIn}
        onSubmit={async ({ email = '', password = '' }) => {
          const outcome = await signInWithPassword(email.trim(), password)
          if (outcome === 'needs-code') onNeedsCode()
          else await onSignedIn()
        }}
        showError={error => <WaitNotice error={error} />}
      >
        {({ isBusy }) => (
          <>
            <TextField
              name="email"
              type="email"
              label={text.email}
              isRequired
              autoComplete="username webauthn"
              autoFocus={email === undefined}
              {...(email !== undefined && { defaultValue: email, isReadOnly: true })}
            />
            <TextField
              name="password"
              type="password"
              label={text.password}
              isRequired
              autoComplete="current-password"
              autoFocus={email !== undefined}
              aside={
                <Link to="/reset-password" className={styles.forgotten}>
                  {text.forgotten}
                </Link>
              }
            />
            <Button type="submit" kind="primary" size="large" isWide isBusy={isBusy}>
              {text.signIn}
            </Button>
          </>
        )}
      </ActionForm>
      {(hasPasskeys() || methods.data?.oidc) && <p className={styles.or}>{text.or}</p>}
      <div className={styles.others}>
        {passkeyError !== undefined && <Notice kind="danger">{textOfError(passkeyError, language)}</Notice>}
        {hasPasskeys() && (
          <Button icon="passkey" size="large" isWide onPress={() => void choosePasskey()}>
            {text.passkey}
          </Button>
        )}
        {methods.data?.oidc && (
          <Button icon="link" size="large" isWide onPress={() => void signInWithProvider(returnTo)}>
            {text.continueWith(methods.data.oidc.name)}
          </Button>
        )}
      </div>
    </>
  )
}

/** Offers passkeys in the e-mail field for as long as the form is shown; `choose` opens the browser's dialog. */
function usePasskeyOffer(onSignedIn: () => unknown): { choose: () => Promise<boolean> } {
  const offer = useRef<AbortController>(undefined)
  const signedIn = useRef(onSignedIn)
  signedIn.current = onSignedIn
  useEffect(() => {
    if (!hasPasskeys()) return
    const controller = new AbortController()
    offer.current = controller
    signInWithPasskey('conditional', controller.signal).then(
      isSignedIn => isSignedIn && signedIn.current(),
      // the offer was withdrawn, or the passkey is of another server: the form is still there
      () => {},
    )
    return () => controller.abort()
  }, [])
  return {
    choose() {
      offer.current?.abort()
      offer.current = new AbortController()
      return signInWithPasskey('optional', offer.current.signal)
    },
  }
}

function CodeForm({ onSignedIn, onBack }: { onSignedIn: () => unknown; onBack: () => void }) {
  const text = useWords(signInTexts)
  const [isBackupCode, setBackupCode] = useState(false)
  return (
    <ActionForm
      aria-label={text.code}
      onSubmit={async ({ code = '', trustDevice }) => {
        await signInWithCode(code.replace(/\s/g, ''), trustDevice !== undefined)
        await onSignedIn()
      }}
      showError={error => <WaitNotice error={error} />}
    >
      {({ isBusy }) => (
        <>
          <TextField
            key={String(isBackupCode)}
            name="code"
            label={isBackupCode ? text.backupCode : text.code}
            hint={isBackupCode ? text.backupHint : text.codeHint}
            isRequired
            autoFocus
            autoComplete="one-time-code"
            inputMode={isBackupCode ? 'text' : 'numeric'}
            spellCheck="false"
          />
          <Checkbox name="trustDevice" value="yes">
            {text.trust}
          </Checkbox>
          <Button type="submit" kind="primary" size="large" isWide isBusy={isBusy}>
            {text.signIn}
          </Button>
          <div className={styles.below}>
            <Button kind="quiet" size="small" onPress={onBack}>
              {text.back}
            </Button>
            <Button kind="quiet" size="small" onPress={() => setBackupCode(!isBackupCode)}>
              {isBackupCode ? text.useCode : text.useBackupCode}
            </Button>
          </div>
        </>
      )}
    </ActionForm>
  )
}
