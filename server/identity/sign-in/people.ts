import { violated } from '#platform/data/errors.ts'
import { fail } from '#platform/fail.ts'
import { newId } from '#platform/ids.ts'
import { hashPassword } from './hash.ts'
import { type Owner, weaknessOf } from './passwords.ts'
import { deleteSessions, findOwner, insertPerson, type Pool, replacePassword } from './sign-in.sql.ts'

export type NewPerson = {
  email: string
  name: string
  /** Absent for people who only use the OpenID provider or will request a reset link. */
  password?: string
  /** True for people who followed a mailed link. Allows the OpenID provider to link to them. */
  isEmailVerified?: boolean
}

/** Server-side functions for accounts, as opposed to the routes under `/api/auth`. */
export type People = {
  /** Errors: VALIDATION_ERROR, PASSWORD_REFUSED, PERSON_EXISTS. */
  createPerson(person: NewPerson): Promise<{ id: string }>
  /** Refuses a weak password (PASSWORD_REFUSED) and hashes others, for callers with their own statement. */
  hashPassword(password: string, owner: Owner): Promise<string>
  /**
   * Replaces the password; ends sessions, reset links, trusted devices and personal access tokens. Errors:
   * PERSON_NOT_FOUND, PASSWORD_REFUSED.
   */
  setPassword(personId: string, password: string): Promise<void>
  /** Ends sessions: all, `only` one, or all `except` one. Returns how many. */
  endSessions(personId: string, which?: { only?: string; except?: string }): Promise<number>
}

const address = /^[^@\s\p{Cc}]{1,64}@[^@\s\p{Cc}]+\.[^@\s.\p{Cc}]+$/u

/** @param sessionsChanged called after a person's sessions have changed; must not throw */
export function openPeople(pool: Pool, sessionsChanged: (personId: string) => Promise<void>): People {
  return {
    hashPassword: hashStrong,
    async createPerson({ email: written, name, password, isEmailVerified = false }) {
      const email = written.trim().toLowerCase()
      if (!address.test(email) || email.length > 254) refuse('email', 'Send one e-mail address.')
      if (name.trim() === '' || name.length > 120 || /\p{Cc}/u.test(name))
        refuse('name', 'Send a name of 1 to 120 characters.')
      const hash = password === undefined ? null : await hashStrong(password, { email, names: [name] })
      const id = newId()
      try {
        await insertPerson(pool, {
          id,
          name: name.trim(),
          email,
          verified: isEmailVerified,
          credentialId: newId(),
          hash,
        })
      } catch (error) {
        if (violated(error) === 'person_email_key') fail('PERSON_EXISTS')
        throw error
      }
      return { id }
    },
    async setPassword(personId, password) {
      const owner = (await findOwner(pool, personId)) ?? fail('PERSON_NOT_FOUND')
      const hash = await hashStrong(password, owner)
      if (!(await replacePassword(pool, personId, newId(), hash))) fail('PERSON_NOT_FOUND')
      await sessionsChanged(personId)
    },
    async endSessions(personId, which) {
      const ended = await deleteSessions(pool, personId, which)
      if (ended > 0) await sessionsChanged(personId)
      return ended
    },
  }
}

/** Refuses a weak password (PASSWORD_REFUSED) and hashes others. */
export async function hashStrong(password: string, owner: Owner): Promise<string> {
  const weakness = await weaknessOf(password, owner)
  if (weakness) fail('PASSWORD_REFUSED', { details: [{ path: 'password', ...weakness }] })
  return hashPassword(password)
}

function refuse(path: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code: 'INVALID', message }] })
}
