import { useState } from 'react'
import { useWords, words } from '../words/words.ts'
import { TextField } from './field.tsx'
import { Icon } from './icon.tsx'
import styles from './new-password.module.css'
import { Spoken } from './spoken.tsx'

/** The shortest password that the server accepts. */
export const passwordMinLength = 10

const texts = words({
  es: {
    label: 'Contraseña nueva',
    length: 'Al menos 10 caracteres',
    own: 'Sin tu nombre ni tu correo',
    guess: 'Difícil de adivinar: varias palabras que no vayan juntas son mejor que símbolos',
    met: 'cumplido',
    open: 'pendiente',
  },
  en: {
    label: 'New password',
    length: 'At least 10 characters',
    own: 'Without your name or e-mail address',
    guess: 'Hard to guess: several unrelated words are better than symbols',
    met: 'met',
    open: 'not met yet',
  },
})

export type NewPasswordProps = {
  name: string
  label?: string
  /** Texts that the password must not contain: the person's name and address. */
  ownWords: readonly string[]
}

/** A field for a new password. It shows its rules, and which are met, while a person types. */
export function NewPassword({ name, label, ownWords }: NewPasswordProps) {
  const text = useWords(texts)
  const [password, setPassword] = useState('')
  const isLong = password.length >= passwordMinLength
  const parts = ownWords.flatMap(own => own.toLowerCase().split(/[\s@.]+/)).filter(part => part.length > 3)
  const isFree = password !== '' && !parts.some(part => password.toLowerCase().includes(part))
  return (
    <div>
      <TextField
        name={name}
        type="password"
        label={label ?? text.label}
        isRequired
        minLength={passwordMinLength}
        maxLength={128}
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
      />
      <ul className={styles.rules}>
        <Rule isMet={isLong}>{text.length}</Rule>
        <Rule isMet={isFree}>{text.own}</Rule>
        <li className={styles.advice}>{text.guess}</li>
      </ul>
    </div>
  )

  function Rule({ isMet, children }: { isMet: boolean; children: string }) {
    return (
      <li className={isMet ? styles.met : styles.rule}>
        <Icon name={isMet ? 'check' : 'circle'} />
        {children}
        <Spoken>, {isMet ? text.met : text.open}</Spoken>
      </li>
    )
  }
}
