import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Form } from 'react-aria-components'
import { textOfError } from '../data/errors.ts'
import { signInRequest } from '../data/session.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { Notice } from '../parts/states.tsx'
import { useLanguage, useWords, words } from '../words/words.ts'

const texts = words({
  es: { title: 'Entrar', email: 'Correo electrónico', password: 'Contraseña', signIn: 'Entrar' },
  en: { title: 'Sign in', email: 'E-mail', password: 'Password', signIn: 'Sign in' },
})

export function SignIn() {
  const text = useWords(texts)
  const language = useLanguage()
  const { to } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  async function signIn(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const { email, password } = Object.fromEntries(new FormData(event.currentTarget))
    setBusy(true)
    setError(undefined)
    try {
      await signInRequest('/sign-in/email', { email, password })
      await navigate({ href: to ?? '/', replace: true })
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <main id="main">
      <h1>{text.title}</h1>
      <Form onSubmit={event => void signIn(event)}>
        {error !== undefined && <Notice kind="danger">{textOfError(error, language)}</Notice>}
        <TextField
          name="email"
          type="email"
          label={text.email}
          isRequired
          autoComplete="username webauthn"
          autoFocus
        />
        <TextField
          name="password"
          type="password"
          label={text.password}
          isRequired
          autoComplete="current-password"
        />
        <Button type="submit" kind="primary" size="large" isWide isBusy={isBusy}>
          {text.signIn}
        </Button>
      </Form>
    </main>
  )
}
