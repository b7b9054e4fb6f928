import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ActionForm } from '../data/action-form.tsx'
import { requestPasswordReset, resetPassword } from '../data/sign-in.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { NewPassword } from '../parts/new-password.tsx'
import { Notice } from '../parts/states.tsx'
import { showToast } from '../parts/toasts.tsx'
import { useWords, words } from '../words/words.ts'
import { AccessFrame } from './access-frame.tsx'
import styles from './reset-password.module.css'
import { takeSecret } from './secret-in-address.ts'
import { WaitNotice } from './wait-notice.tsx'

const texts = words({
  es: {
    title: 'Elegir otra contraseña',
    about: 'Te enviamos un enlace que vale una vez, durante una hora.',
    email: 'Correo electrónico',
    send: 'Enviar el enlace',
    sent: 'Si esa dirección tiene una cuenta, el correo está en camino. Mira también en la carpeta de correo no deseado. Si no llega en unos minutos, pide otro.',
    chosenAbout: 'Al cambiarla se cierran todas tus sesiones y se revocan tus tokens personales.',
    save: 'Guardar la contraseña',
    saved: 'Contraseña cambiada. Entra con ella.',
    back: 'Volver a entrar',
  },
  en: {
    title: 'Choose a new password',
    about: 'We send you a link that works once, for an hour.',
    email: 'E-mail',
    send: 'Send the link',
    sent: 'If this address has an account, the mail is on its way. Look in the spam folder, too. If it does not arrive within minutes, request another one.',
    chosenAbout: 'All your sessions end and your personal tokens are revoked.',
    save: 'Save the password',
    saved: 'Password changed. Sign in with it.',
    back: 'Back to sign-in',
  },
})

/** Requests the mail to reset a password, and, from the link in that mail, chooses the new one. */
export function ResetPassword() {
  const [token, setToken] = useState(() => takeSecret('token'))
  // a link from a mail that opens in this tab changes the fragment alone
  useEffect(() => {
    const take = () => setToken(takeSecret('token'))
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  return token === undefined ? <RequestMail /> : <ChoosePassword token={token} />
}

function RequestMail() {
  const text = useWords(texts)
  const [isSent, setSent] = useState(false)
  return (
    <AccessFrame title={text.title} about={text.about}>
      {isSent ? (
        <Notice kind="done">{text.sent}</Notice>
      ) : (
        <ActionForm
          onSubmit={async ({ email = '' }) => {
            await requestPasswordReset(email.trim())
            setSent(true)
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
                autoComplete="username"
                autoFocus
              />
              <Button type="submit" kind="primary" size="large" isWide isBusy={isBusy}>
                {text.send}
              </Button>
            </>
          )}
        </ActionForm>
      )}
      <p className={styles.back}>
        <Link to="/sign-in">{text.back}</Link>
      </p>
    </AccessFrame>
  )
}

function ChoosePassword({ token }: { token: string }) {
  const text = useWords(texts)
  const navigate = useNavigate()
  return (
    <AccessFrame title={text.title} about={text.chosenAbout}>
      <ActionForm
        onSubmit={async ({ newPassword = '' }) => {
          await resetPassword(token, newPassword)
          showToast({ text: text.saved })
          await navigate({ to: '/sign-in', replace: true })
        }}
      >
        {({ isBusy }) => (
          <>
            <NewPassword name="newPassword" ownWords={[]} />
            <Button type="submit" kind="primary" size="large" isWide isBusy={isBusy}>
              {text.save}
            </Button>
          </>
        )}
      </ActionForm>
    </AccessFrame>
  )
}
