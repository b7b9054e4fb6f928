import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getSessionToken } from '#contract/identity/sessions.ts'
import { type Client, connect } from '#sdk/client.ts'

export type DemoPerson = { id: string; email: string; password: string; role: string }
/** The content of demo.json. */
export type Demo = {
  baseUrl: string
  operator: { email: string; password: string }
  organizations: {
    id: string
    name: string
    plan: string
    people: DemoPerson[]
    applications: { id: string; slug: string; name: string; key: string }[]
  }[]
}

export function readDemo(dataDir: string): Demo {
  return JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'))
}

/** Signs in with a password as a tool and returns the session's token. */
export async function signIn(
  url: string,
  { email, password }: Pick<DemoPerson, 'email' | 'password'>,
): Promise<string> {
  const answer = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (!answer.ok) throw new Error(`sign-in of ${email}: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { token: string }).token
}

/** A client of a person in their first organization, which renews its session token. */
export async function clientOf(url: string, person: Pick<DemoPerson, 'email' | 'password'>): Promise<Client> {
  const session = connect(url, { token: await signIn(url, person) })
  let { token } = await session.call(getSessionToken)
  const renewed = async (isRefused: boolean) => {
    if (isRefused) token = (await session.call(getSessionToken)).token
    return token
  }
  return connect(url, { token: renewed }, { retries: 0 })
}
