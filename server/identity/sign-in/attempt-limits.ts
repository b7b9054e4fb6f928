import { createHmac } from 'node:crypto'
import { addressKey } from '#platform/http/caller.ts'
import { required } from '#platform/required.ts'
import { countTries, forgetTries, type Pool } from './sign-in.sql.ts'

type Ceiling = { times: number; windowSeconds: number }
type Rule = {
  /** Attempts per client address. */
  address: Ceiling
  /** Attempts against one account from one address; reset by a success. */
  account?: Ceiling
  /** Attempts against one account from anywhere; reset by a success. */
  anywhere?: Ceiling
}

const minute = 60
const quarter = 15 * minute
const hour = 60 * minute

const guesses: Rule = {
  address: { times: 60, windowSeconds: minute },
  account: { times: 10, windowSeconds: quarter },
  anywhere: { times: 50, windowSeconds: hour },
}
// a stolen session must not help to guess the password
const confirmations: Rule = {
  address: { times: 30, windowSeconds: minute },
  anywhere: { times: 10, windowSeconds: quarter },
}
const codes: Rule = { address: { times: 20, windowSeconds: minute } }

const rules: Record<string, Rule> = {
  '/sign-in/email': guesses,
  '/change-password': confirmations,
  '/two-factor/enable': confirmations,
  '/two-factor/disable': confirmations,
  '/two-factor/generate-backup-codes': confirmations,
  '/two-factor/verify-totp': codes,
  '/two-factor/verify-backup-code': codes,
  '/reset-password': codes,
  // never reset, because each success sends a mail
  '/request-password-reset': {
    address: { times: 20, windowSeconds: minute },
    anywhere: { times: 3, windowSeconds: quarter },
  },
}
const others: Rule = { address: { times: 300, windowSeconds: minute } }

/** The keys that one request counts against. `account` is an e-mail or a session, or undefined. */
export type Try = { path: string; address: string; account: string | undefined }
export type Refused = Ceiling & { retryAfterSeconds: number }

export type Rates = {
  /** Counts the request in one statement, exact over all processes. Returns the exceeded limit, if any. */
  count(attempt: Try): Promise<Refused | undefined>
  /** Resets the counters of the account after a success. */
  succeeded(attempt: Try): Promise<void>
  /** True the first time that `value` is used within `windowSeconds`. */
  isFirstUse(value: string, windowSeconds: number): Promise<boolean>
}

/** The limits of sign-in. Keys are digests, so that the table does not reveal who tried. */
export function openRates(pool: Pool, secret: string): Rates {
  const digest = (...parts: string[]) =>
    createHmac('sha256', secret)
      .update(`sign-in-rate\n${parts.join('\n')}`)
      .digest('base64url')
      .slice(0, 27)

  function ceilingsOf({ path, address, account }: Try): (Ceiling & { key: string; isAccount: boolean })[] {
    const rule = rules[path] ?? others
    const from = addressKey(address)
    const ceilings = [{ ...rule.address, key: digest('address', path, from), isAccount: false }]
    if (account && rule.account) {
      ceilings.push({ ...rule.account, key: digest('account', path, from, account), isAccount: true })
    }
    if (account && rule.anywhere) {
      ceilings.push({ ...rule.anywhere, key: digest('anywhere', path, account), isAccount: true })
    }
    return ceilings
  }

  return {
    async count(attempt) {
      const ceilings = ceilingsOf(attempt)
      const counted = await countTries(
        pool,
        ceilings.map(ceiling => ceiling.key),
        ceilings.map(ceiling => ceiling.windowSeconds),
      )
      let refused: Refused | undefined
      for (const { key, count, seconds } of counted) {
        const { times, windowSeconds } = required(
          ceilings.find(ceiling => ceiling.key === key),
          'the limit of a counted key',
        )
        if (count <= times || seconds <= (refused?.retryAfterSeconds ?? 0)) continue
        refused = { times, windowSeconds, retryAfterSeconds: seconds }
      }
      return refused
    },
    async succeeded(attempt) {
      if (attempt.path === '/request-password-reset') return
      const keys = ceilingsOf(attempt).filter(ceiling => ceiling.isAccount)
      if (keys.length > 0) {
        await forgetTries(
          pool,
          keys.map(ceiling => ceiling.key),
        )
      }
    },
    async isFirstUse(value, windowSeconds) {
      const [counted] = await countTries(pool, [digest('use', value)], [windowSeconds])
      return counted?.count === 1
    },
  }
}
